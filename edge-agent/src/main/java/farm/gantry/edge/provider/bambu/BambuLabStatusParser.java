package farm.gantry.edge.provider.bambu;

import farm.gantry.edge.printer.connection.PrintPhase;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.connection.PrinterStatus.Ending;
import farm.gantry.edge.printer.connection.Temperatures;
import farm.gantry.edge.session.PrinterSession;
import farm.gantry.edge.time.Uptime;
import farm.gantry.json.Tree;
import farm.gantry.printer.PrinterState.Fault;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.printer.PrinterState.Temperature;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Converts a printer's reports to a status. */
final class BambuLabStatusParser {
    /** The stages that are not a preparation: the print itself, or no stage. */
    private static final Set<Integer> NO_STAGE = Set.of(0, -1, 255);
    /** The chamber temperature that printers without a sensor report. */
    private static final double NO_CHAMBER = 5;

    private static final int PACKED = 0xFFFF;

    private BambuLabStatusParser() {}

    static PrinterStatus parse(BambuLabState reported, PrinterSession session) {
        return parse(reported, session.lastStatus(), session.isStopping());
    }

    /** {@code stopping}: the agent has cancelled the print of the status {@code before}. */
    static PrinterStatus parse(BambuLabState reported, @Nullable PrinterStatus before, boolean stopping) {
        PrinterStatus last = before != null && before.fileName().equals(reported.fileName()) ? before : null;
        PrintPhase reportedPhase = phase(reported, last, stopping);
        PrintPhase phase = reported.isReadingNext(Uptime.withSleep())
                ? new PrintPhase(Status.preparing, reportedPhase.ending())
                : reportedPhase;
        boolean forgotten = reported.state().equals("IDLE") || reported.state().equals("INIT");
        boolean shown = !reported.fileName().isEmpty() && (!forgotten || phase.ending() != null);
        Fault error = phase.ending() == Ending.FAILED ? BambuLabErrors.printError(reported.print()) : null;
        return new PrinterStatus(
                phase.status(),
                shown ? phase.ending() : null,
                error == null ? null : error.message(),
                shown ? file(reported, phase.ending()) : null,
                temperatures(reported.print()),
                AmsUnits.slots(reported.print()),
                BambuLabErrors.faults(reported.print(), phase.status() == Status.paused),
                taskId(reported.print()),
                BambuLabErrors.warnings(reported.print()));
    }

    /** Returns the id of a print; null for one that was started at the printer's screen, which has none. */
    private static @Nullable String taskId(Map<String, Object> print) {
        String task = Tree.text(print, "task_id");
        return task == null || task.isBlank() || task.equals("0") ? null : task;
    }

    private static PrintPhase phase(BambuLabState reported, @Nullable PrinterStatus last, boolean stopping) {
        return switch (reported.state()) {
            case "IDLE", "INIT" -> new PrintPhase(Status.idle, inferEnding(last, stopping));
            case "SLICING", "PREPARE" -> new PrintPhase(Status.preparing);
            case "RUNNING" -> new PrintPhase(isPreparing(reported.print()) ? Status.preparing : Status.printing);
            case "PAUSE" -> new PrintPhase(Status.paused);
            case "FINISH" -> PrintPhase.COMPLETED;
            case "FAILED" -> {
                boolean wanted =
                        BambuLabErrors.isCancelled(reported.print()) || inferEnding(last, stopping) == Ending.CANCELLED;
                yield wanted ? PrintPhase.CANCELLED : PrintPhase.FAILED;
            }
            default -> new PrintPhase(Status.unknown);
        };
    }

    /**
     * Returns the ending of the last print if the printer no longer reports it: an ending that was reported is kept; a
     * job that disappears after a cancel by the agent counts as cancelled.
     */
    private static @Nullable Ending inferEnding(@Nullable PrinterStatus last, boolean stopping) {
        if (last == null) {
            return null;
        }
        return last.ending() == null && stopping ? Ending.CANCELLED : last.ending();
    }

    /**
     * Returns whether the print is being prepared. Between two stages, and while some models heat, the printer reports
     * no stage; a file need not announce layers.
     */
    private static boolean isPreparing(Map<String, Object> print) {
        Integer stage = Tree.integer(print, "stg_cur");
        boolean staged = stage != null && !NO_STAGE.contains(stage);
        return Tree.number(print, "layer_num", 0) == 0 && (staged || Tree.number(print, "mc_percent", 0) == 0);
    }

    private static PrinterStatus.File file(BambuLabState reported, @Nullable Ending ending) {
        Map<String, Object> print = reported.print();
        Double minutes = ending == null ? Tree.number(print, "mc_remaining_time") : null;
        Integer layers = Tree.integer(print, "total_layer_num");
        return new PrinterStatus.File(
                reported.fileName(),
                ending == Ending.COMPLETED ? 100 : Math.clamp(Tree.number(print, "mc_percent", 0), 0, 100),
                Tree.integer(print, "layer_num"),
                layers == null || layers == 0 ? null : layers,
                null,
                minutes == null ? null : (Long) Math.round(minutes * 60),
                null);
    }

    private static Map<String, Temperature> temperatures(Map<String, Object> print) {
        Temperatures temperatures = new Temperatures()
                .with("nozzle", Tree.number(print, "nozzle_temper"), Tree.number(print, "nozzle_target_temper"))
                .with("bed", Tree.number(print, "bed_temper"), Tree.number(print, "bed_target_temper"));
        List<?> nozzles = Tree.list(print, "device", "extruder", "info");
        if (nozzles.size() > 1) {
            for (int index = 0; index < nozzles.size(); index++) {
                addPacked(
                        temperatures,
                        index == 0 ? "nozzle" : "nozzle" + index,
                        Tree.number(nozzles.get(index), "temp"));
            }
        }
        Double chamber = Tree.number(print, "chamber_temper");
        Double packed = Tree.number(print, "device", "ctc", "info", "temp");
        if (packed != null) {
            addPacked(temperatures, "chamber", packed);
        } else if (chamber != null && chamber != NO_CHAMBER) {
            temperatures.with("chamber", chamber, null);
        }
        return temperatures.byHeater();
    }

    /** Adds a temperature. Newer printers pack the target temperature into the upper sixteen bits. */
    private static void addPacked(Temperatures temperatures, String name, @Nullable Double packed) {
        if (packed != null) {
            long bits = packed.longValue();
            temperatures.with(name, (double) (bits & PACKED), (double) (bits >> 16));
        }
    }
}
