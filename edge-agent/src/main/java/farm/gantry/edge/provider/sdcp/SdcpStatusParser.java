package farm.gantry.edge.provider.sdcp;

import farm.gantry.edge.printer.connection.PrintPhase;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.connection.PrinterStatus.Ending;
import farm.gantry.edge.printer.connection.Temperatures;
import farm.gantry.json.Tree;
import farm.gantry.printer.PrinterState.Fault;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.printer.PrinterState.Temperature;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Converts a printer's report to a status. The state of the machine ({@code CurrentStatus}) and of its print ({@code
 * PrintInfo.Status}) are separate fields; a print that has ended may have lost its file name.
 */
final class SdcpStatusParser {
    private static final int PRINTING = 1;
    /** The machine states in which nothing moves: idle, receiving a file, checking a file. */
    private static final Set<Integer> AT_REST = Set.of(0, 2, 8);

    private static final double MILLIS = 1_000;

    private static final Map<Integer, PrintPhase> PHASES = phases();

    private SdcpStatusParser() {}

    private static Map<Integer, PrintPhase> phases() {
        Map<Integer, PrintPhase> phases = new HashMap<>();
        Stream.of(0, 1, 10, 11, 15, 16, 17, 18, 19, 20, 21, 22)
                .forEach(code -> phases.put(code, new PrintPhase(Status.preparing)));
        Stream.of(2, 3, 4, 7, 12, 13).forEach(code -> phases.put(code, new PrintPhase(Status.printing)));
        Stream.of(5, 6).forEach(code -> phases.put(code, new PrintPhase(Status.paused)));
        phases.put(8, PrintPhase.CANCELLED);
        phases.put(9, PrintPhase.COMPLETED);
        phases.put(14, PrintPhase.FAILED);
        return phases;
    }

    /** Converts a status; {@code before} is the previous status on this connection. */
    static PrinterStatus parse(Map<String, Object> status, @Nullable PrinterStatus before) {
        Map<String, Object> print = Tree.object(status, "PrintInfo");
        PrintPhase phase = phase(machineStates(status), print);
        String name = fileName(print);
        PrinterStatus.File file = file(name, status, print, phase);
        PrinterStatus.File known = before == null ? null : before.file();
        if (file == null && before != null && known != null) {
            if (phase.ending() != null) {
                file = atEnd(known, phase);
            } else if (phase.status() == Status.idle && before.ending() != null) {
                return createStatus(Status.idle, before.ending(), known, status);
            }
        }
        if (phase.ending() != null && file == null) {
            return createStatus(phase.status().isBusy() ? phase.status() : Status.idle, null, null, status);
        }
        return createStatus(phase.status(), phase.ending(), file, status);
    }

    /**
     * Returns the phase. A machine that levels, homes or feeds filament without a print is busy, but not with the print
     * that it may still name.
     */
    private static PrintPhase phase(@Nullable Set<Integer> machine, Map<String, Object> print) {
        if (machine == null) {
            return new PrintPhase(Status.unknown);
        }
        int code = (int) Tree.number(print, "Status", 0);
        PrintPhase phase = PHASES.get(code);
        if (AT_REST.containsAll(machine)) {
            return phase == null || phase.ending() == null ? new PrintPhase(Status.idle) : phase;
        }
        boolean prints = phase != null && phase.ending() == null && code != 0;
        if (!prints && !machine.contains(PRINTING)) {
            return new PrintPhase(Status.preparing, phase == null ? null : phase.ending());
        }
        if (phase == null) {
            return new PrintPhase(Status.unknown);
        }
        boolean parked = phase.status() == Status.preparing && Tree.number(print, "CurrentLayer", 0) > 0;
        return parked ? new PrintPhase(Status.printing) : phase;
    }

    /**
     * Returns the states of the machine, empty at rest; the field may be a list or a single value. Null if it is
     * neither.
     */
    private static @Nullable Set<Integer> machineStates(Map<String, Object> status) {
        Integer one = Tree.integer(status, "CurrentStatus");
        if (one != null) {
            return Set.of(one);
        }
        return status.get("CurrentStatus") instanceof List<?> codes
                        && codes.stream().allMatch(Number.class::isInstance)
                ? codes.stream().map(code -> ((Number) code).intValue()).collect(Collectors.toSet())
                : null;
    }

    /** Returns the file name without its folder. */
    private static String fileName(Map<String, Object> print) {
        String name = Tree.text(print, "Filename");
        return name == null ? "" : name.substring(name.lastIndexOf('/') + 1);
    }

    private static PrinterStatus createStatus(
            Status status, @Nullable Ending ending, PrinterStatus.@Nullable File file, Map<String, Object> reported) {
        Map<String, Object> print = Tree.object(reported, "PrintInfo");
        List<Fault> faults = faults(print);
        boolean isPast = isPastError(reported, print) && !faults.isEmpty();
        return new PrinterStatus(
                status,
                ending,
                isPast && ending == Ending.FAILED ? faults.getFirst().message() : null,
                file,
                temperatures(reported),
                List.of(),
                isPast ? List.of() : faults,
                null,
                isPast ? faults : List.of());
    }

    /**
     * Returns whether the reported error belongs to a print that has ended. A machine at rest reports the error number
     * of its last print until the next print, although it has no fault.
     */
    private static boolean isPastError(Map<String, Object> reported, Map<String, Object> print) {
        Set<Integer> machine = machineStates(reported);
        PrintPhase phase = PHASES.get((int) Tree.number(print, "Status", 0));
        return machine != null && AT_REST.containsAll(machine) && phase != null && phase.ending() != null;
    }

    private static PrinterStatus.@Nullable File file(
            String name, Map<String, Object> status, Map<String, Object> print, PrintPhase phase) {
        if (name.isEmpty()) {
            return null;
        }
        double unit = isResin(status) ? MILLIS : 1;
        double elapsed = Tree.number(print, "CurrentTicks", 0) / unit;
        double total = Tree.number(print, "TotalTicks", 0) / unit;
        Integer layers = Tree.integer(print, "TotalLayer");
        boolean complete = phase.ending() == Ending.COMPLETED;
        return new PrinterStatus.File(
                name,
                complete ? 100 : percent(print, elapsed, total),
                complete ? layers : Tree.integer(print, "CurrentLayer"),
                layers,
                Math.round(elapsed),
                phase.ending() == null && total > 0 ? (Long) Math.round(Math.max(0, total - elapsed)) : null,
                null);
    }

    private static double percent(Map<String, Object> print, double elapsed, double total) {
        double guess = total > 0 ? Math.floor(100 * elapsed / total) : 0;
        return Math.clamp(Tree.number(print, "Progress", guess), 0, 100);
    }

    private static PrinterStatus.File atEnd(PrinterStatus.File file, PrintPhase phase) {
        double percent = phase.ending() == Ending.COMPLETED ? 100 : file.percent();
        return new PrinterStatus.File(
                file.name(), percent, file.currentLayer(), file.totalLayers(), file.elapsedSeconds(), null, null);
    }

    /** Resin printers report times in milliseconds. */
    private static boolean isResin(Map<String, Object> status) {
        return !status.containsKey("TempOfNozzle");
    }

    private static Map<String, Temperature> temperatures(Map<String, Object> status) {
        Temperatures temperatures = new Temperatures();
        Map.of("Nozzle", "nozzle", "Hotbed", "bed", "Box", "chamber")
                .forEach((heater, name) -> temperatures.with(
                        name, Tree.number(status, "TempOf" + heater), Tree.number(status, "TempTarget" + heater)));
        return temperatures.byHeater();
    }

    private static List<Fault> faults(Map<String, Object> print) {
        int number = (int) Tree.number(print, "ErrorNumber", 0);
        String words = switch (number) {
            case 1 -> "the file's checksum is wrong";
            case 2 -> "the file cannot be read";
            case 3, 4, 5 -> "the file is not for this printer";
            default -> "the printer reports error " + number;
        };
        return number == 0 ? List.of() : List.of(new Fault(String.valueOf(number), words));
    }
}
