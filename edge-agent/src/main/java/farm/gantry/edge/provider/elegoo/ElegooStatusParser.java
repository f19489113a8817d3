package farm.gantry.edge.provider.elegoo;

import farm.gantry.edge.printer.connection.PrintPhase;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.connection.PrinterStatus.Ending;
import farm.gantry.edge.printer.connection.Temperatures;
import farm.gantry.edge.session.PrinterSession;
import farm.gantry.json.Tree;
import farm.gantry.printer.PrinterState.FilamentSlot;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.printer.PrinterState.Temperature;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Converts a printer's reports to a status. */
final class ElegooStatusParser {
    private ElegooStatusParser() {}

    static PrinterStatus parse(ElegooState reported, PrinterSession session) {
        return parse(reported, session.lastStatus(), session.isStopping());
    }

    /** {@code stopping}: the agent has cancelled the print of the status {@code before}. */
    static PrinterStatus parse(ElegooState reported, @Nullable PrinterStatus before, boolean stopping) {
        String named = reported.fileName();
        boolean same = before != null && (named.isEmpty() || before.fileName().equals(named));
        PrinterStatus last = same ? before : null;
        PrintPhase phase = phase(reported, last, stopping);
        String name = named.isEmpty() && last != null && phase.ending() != null ? last.fileName() : named;
        boolean shown = !name.isEmpty() && (phase.status() != Status.idle || phase.ending() != null);
        return new PrinterStatus(
                phase.status(),
                shown ? phase.ending() : null,
                null,
                shown ? file(name, reported, phase.ending()) : null,
                temperatures(reported.status()),
                slots(reported.canvas()),
                ElegooErrors.faults(reported.status()),
                reported.newestPrint());
    }

    private static PrintPhase phase(ElegooState reported, @Nullable PrinterStatus last, boolean stopping) {
        return switch (reported.machineCode()) {
            case 1 -> idlePhase(reported, last, stopping);
            case 2 -> printingPhase(reported.stageCode());
            // Loading filament, levelling, testing, updating, homing, receiving a file, making a video: a print that
            // has ended stays ended.
            case 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13 ->
                new PrintPhase(
                        Status.preparing, idlePhase(reported, last, stopping).ending());
            case ElegooState.EMERGENCY ->
                new PrintPhase(Status.error, last == null || last.ending() == null ? Ending.FAILED : last.ending());
            case 15 -> new PrintPhase(Status.paused);
            default -> new PrintPhase(Status.unknown);
        };
    }

    private static PrintPhase idlePhase(ElegooState reported, @Nullable PrinterStatus last, boolean stopping) {
        return switch (Objects.requireNonNullElse(Tree.text(reported.print(), "state"), "")) {
            case "complete" -> PrintPhase.COMPLETED;
            case "cancelled" -> PrintPhase.CANCELLED;
            case "error" -> PrintPhase.FAILED;
            default -> {
                boolean stopped = stopping && last != null && last.status().isBusy();
                Ending known = last == null ? null : last.ending();
                yield new PrintPhase(Status.idle, known == null && stopped ? Ending.CANCELLED : known);
            }
        };
    }

    /** Returns the phase of a stage of a print. An unknown stage counts as printing. */
    private static PrintPhase printingPhase(int stage) {
        return switch (stage) {
            case 1045, 1096, 1405, 1906, 2801, 2802, 2901, 2902 -> new PrintPhase(Status.preparing);
            case 1081, 1082, 1086 -> new PrintPhase(Status.preparing); // The printer downloads its file from a cloud.
            case 2501, 2502, 2505 -> new PrintPhase(Status.paused);
            case 2504 -> PrintPhase.CANCELLED;
            case 2077 -> PrintPhase.COMPLETED;
            default -> new PrintPhase(Status.printing);
        };
    }

    private static PrinterStatus.File file(String name, ElegooState reported, @Nullable Ending ending) {
        Map<String, Object> print = reported.print();
        Double percent = Tree.number(reported.status(), "machine_status", "progress");
        Double percents = percent == null ? Tree.number(print, "progress") : percent;
        Integer layers = Tree.integer(print, "total_layer");
        return new PrinterStatus.File(
                name,
                ending == Ending.COMPLETED ? 100 : Math.clamp(percents == null ? 0 : percents, 0, 100),
                Tree.integer(print, "current_layer"),
                layers == null || layers == 0 ? null : layers,
                seconds(print, "print_duration"),
                ending == null ? seconds(print, "remaining_time_sec") : null,
                null);
    }

    private static @Nullable Long seconds(Map<String, Object> print, String name) {
        Double seconds = Tree.number(print, name);
        return seconds == null ? null : (Long) Math.round(seconds);
    }

    private static Map<String, Temperature> temperatures(Map<String, Object> status) {
        String chamber = status.containsKey("chamber") ? "chamber" : "ztemperature_sensor";
        Temperatures temperatures = new Temperatures();
        Map.of("nozzle", "extruder", "bed", "heater_bed", "chamber", chamber)
                .forEach((heater, part) -> temperatures.with(
                        heater, Tree.number(status, part, "temperature"), Tree.number(status, part, "target")));
        return temperatures.byHeater();
    }

    /** Returns the slots of connected units. A tray with status 0 is empty, one with status 2 is in use. */
    private static List<FilamentSlot> slots(Map<String, Object> canvas) {
        return Tree.list(canvas, "canvas_list").stream()
                .filter(unit -> Tree.number(unit, "connected", 0) == 1)
                .flatMap(unit -> Tree.list(unit, "tray_list").stream().map(tray -> {
                    boolean loaded = Tree.number(tray, "status", 0) > 0;
                    return new FilamentSlot(
                            (int) Tree.number(unit, "canvas_id", 0),
                            (int) Tree.number(tray, "tray_id", 0),
                            loaded,
                            loaded ? Tree.text(tray, "filament_type") : null,
                            loaded ? Tree.text(tray, "filament_color") : null);
                }))
                .toList();
    }
}
