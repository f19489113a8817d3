package farm.gantry.edge.provider.klipper;

import farm.gantry.edge.refusal.Refusal;
import farm.gantry.job.PrintJob;
import farm.gantry.json.Tree;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Where a print's filaments come from, which a printer is told before it begins. */
record FilamentMapping(MoonrakerSocket rpc, List<String> objects) {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** Nothing has been started yet: whatever goes wrong is a plain no. */
    void place(Map<String, PrintJob.Slot> places) throws Refusal, InterruptedException {
        try {
            if (!objects.contains(MmuGates.UNIT)) {
                new SpoolMapping(objects).check(places);
            } else if (!places.isEmpty()) {
                serve(places);
            }
        } catch (IOException e) {
            throw new Refusal("the printer could not be told where its filaments come from: " + e.getMessage());
        } catch (Refusal e) {
            throw e.cause() == Refusal.Cause.ANSWER
                    ? new Refusal("the printer was told where its filaments come from, and refused: " + e.getMessage())
                    : e;
        }
    }

    /** A unit keeps its map and takes a new one at any time: another print's must not be touched. */
    private void serve(Map<String, PrintJob.Slot> places) throws IOException, Refusal, InterruptedException {
        Map<String, Object> print = query("print_stats", List.of("state", "filename"));
        if (List.of("printing", "paused").contains(String.valueOf(print.get("state")))) {
            throw new Refusal("the printer is busy with " + print.get("filename"));
        }
        MmuGates wanted = MmuGates.of(query(MmuGates.UNIT, MmuGates.FIELDS)).with(places);
        rpc.call("printer.gcode.script", Map.of("script", wanted.script()), TIMEOUT);
        if (!MmuGates.of(query(MmuGates.UNIT, MmuGates.FIELDS)).equals(wanted)) {
            throw new Refusal("the printer's multi-material unit did not take " + wanted.script());
        }
    }

    private Map<String, Object> query(String object, List<String> fields)
            throws IOException, Refusal, InterruptedException {
        return Tree.object(
                rpc.call("printer.objects.query", Map.of("objects", Map.of(object, fields)), TIMEOUT),
                "status",
                object);
    }
}
