package farm.gantry.edge.provider.klipper;

import farm.gantry.edge.refusal.Refusal;
import farm.gantry.job.PrintJob;
import farm.gantry.json.Tree;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Tells a printer which slot each filament of a print uses, before the print starts. */
record FilamentMapper(MoonrakerSocket rpc, List<String> objects) {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** Sends the mapping. Every error is a refusal, because nothing has been started yet. */
    void sendMapping(Map<String, PrintJob.Slot> places) throws Refusal, InterruptedException {
        try {
            if (!objects.contains(MmuGates.UNIT)) {
                new ToolSpools(objects).check(places);
            } else if (!places.isEmpty()) {
                setUnitMap(places);
            }
        } catch (IOException e) {
            throw new Refusal("cannot send the filament mapping: " + e.getMessage());
        } catch (Refusal e) {
            throw e.cause() == Refusal.Cause.ANSWER
                    ? new Refusal("the printer rejects the filament mapping: " + e.getMessage())
                    : e;
        }
    }

    /**
     * Sets the tool-to-gate map of a multi-material unit. Refuses while another print runs, because the map applies to
     * all prints at once.
     */
    private void setUnitMap(Map<String, PrintJob.Slot> places) throws IOException, Refusal, InterruptedException {
        Map<String, Object> print = query("print_stats", List.of("state", "filename"));
        if (List.of("printing", "paused").contains(String.valueOf(print.get("state")))) {
            throw new Refusal("the printer is busy with " + print.get("filename"));
        }
        MmuGates wanted = MmuGates.parse(query(MmuGates.UNIT, MmuGates.FIELDS)).withSlots(places);
        rpc.call("printer.gcode.script", Map.of("script", wanted.script()), TIMEOUT);
        if (!MmuGates.parse(query(MmuGates.UNIT, MmuGates.FIELDS)).equals(wanted)) {
            throw new Refusal("the printer's multi-material unit did not accept " + wanted.script());
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
