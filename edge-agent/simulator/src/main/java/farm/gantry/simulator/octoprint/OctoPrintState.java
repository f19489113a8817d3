package farm.gantry.simulator.octoprint;

import farm.gantry.simulator.printer.GcodeFile;
import farm.gantry.simulator.printer.Heater;
import farm.gantry.simulator.printer.PrintState;
import farm.gantry.simulator.printer.SimulatedPrinter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** OctoPrint's names for the state of the printer at its USB port. */
enum OctoPrintState {
    offline("Offline"),
    error("Offline after error"),
    ready("Operational"),
    printing("Printing"),
    paused("Paused");

    private static final double HEAD_PERCENT = 3.5;

    private final String text;

    OctoPrintState(String text) {
        this.text = text;
    }

    static OctoPrintState of(SimulatedPrinter printer, boolean unplugged) {
        if (unplugged || printer.isStarting()) {
            return offline;
        }
        if (!printer.isReady()) {
            return error;
        }
        return switch (printer.print().state()) {
            case "printing" -> printing;
            case "paused" -> paused;
            case "error" -> error;
            default -> ready;
        };
    }

    boolean isOperational() {
        return this != offline && this != error;
    }

    Map<String, Object> printer(SimulatedPrinter printer) {
        Map<String, Object> flags = new LinkedHashMap<>();
        flags.put("operational", isOperational());
        flags.put("closedOrError", !isOperational());
        Stream.of("cancelling", "error", "finishing", "pausing", "resuming").forEach(flag -> flags.put(flag, false));
        Stream.of(ready, printing, paused).forEach(state -> flags.put(state.name(), state == this));
        return Map.of(
                "state",
                Map.of("text", text, "error", "", "flags", flags),
                "temperature",
                Map.of("tool0", heater(printer.nozzle()), "bed", heater(printer.bed())));
    }

    private static Map<String, Object> heater(Heater heater) {
        return Map.of("actual", heater.temperature(), "target", heater.target(), "offset", 0);
    }

    Map<String, ?> job(SimulatedPrinter printer) {
        GcodeFile file = isOperational() ? printer.print().file() : null;
        Map<String, @Nullable Object> selected = new LinkedHashMap<>();
        Stream.of("name", "display", "path").forEach(field -> selected.put(field, file == null ? null : file.name()));
        Map<String, Object> job = new LinkedHashMap<>(
                Map.of("job", Map.of("file", selected), "progress", progress(printer), "state", text));
        if (this == error) {
            job.put("error", printer.klippyMessage());
        }
        return job;
    }

    /** Returns the progress in bytes of the file; empty when a print was cancelled. */
    private Map<String, ?> progress(SimulatedPrinter printer) {
        PrintState print = printer.print();
        boolean hasProgress =
                isOperational() && (print.isActive() || print.state().equals("complete"));
        double done = print.state().equals("complete") ? 1 : print.progress();
        Map<String, @Nullable Object> progress = new LinkedHashMap<>();
        progress.put("completion", hasProgress ? (Double) (HEAD_PERCENT + (100 - HEAD_PERCENT) * done) : null);
        GcodeFile file = print.file();
        progress.put("filepos", hasProgress && file != null ? (Long) Math.round(file.size() * done) : null);
        progress.put("printTime", hasProgress ? (Long) Math.round(print.total()) : null);
        progress.put(
                "printTimeLeft",
                hasProgress && done > 0 ? (Long) Math.round(print.printed() / done - print.printed()) : null);
        return progress;
    }
}
