package farm.gantry.edge.provider.klipper;

import farm.gantry.edge.printer.connection.PrintPhase;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.connection.PrinterStatus.Ending;
import farm.gantry.json.Tree;
import farm.gantry.printer.PrinterState.Fault;
import farm.gantry.printer.PrinterState.FilamentSlot;
import farm.gantry.printer.PrinterState.Status;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Converts Klipper's printer objects to a status. */
final class KlipperStatusParser {
    private static final double ENOUGH_TO_GUESS = 0.02;
    /** The file name of a print of which no file is known. */
    private static final String STREAMED = "G-code of another host";

    private KlipperStatusParser() {}

    static PrinterStatus parse(KlipperState reported) {
        PrintPhase phase = phase(reported);
        return new PrinterStatus(
                phase.status(),
                phase.ending(),
                phase.message(),
                file(reported, phase),
                KlipperHeaters.readTemperatures(reported.objects()),
                slots(reported.object("mmu")),
                faults(reported.object("webhooks")),
                reported.newestPrint());
    }

    /**
     * Returns what the printer does. Klipper's own state takes precedence over {@code print_stats}, which still reports
     * a paused print after a shutdown during a print.
     */
    private static PrintPhase phase(KlipperState reported) {
        Map<String, Object> print = reported.object("print_stats");
        String state = String.valueOf(print.get("state"));
        return switch (String.valueOf(reported.object("webhooks").get("state"))) {
            case "shutdown", "error" ->
                state.equals("printing") || state.equals("paused")
                        ? new PrintPhase(Status.error, Ending.FAILED)
                        : new PrintPhase(Status.error, phase(state, print).ending());
            case "startup" -> new PrintPhase(Status.unknown);
            default -> {
                if (reported.isStreaming()) {
                    yield new PrintPhase(Status.printing);
                }
                yield isBusyWithoutPrint(reported) ? new PrintPhase(Status.preparing) : phase(state, print);
            }
        };
    }

    /**
     * Returns whether a script runs and neither a print nor the end of one is shown. A print that has ended stays ended
     * while a script runs, because a busy printer with a file counts as printing that file.
     */
    private static boolean isBusyWithoutPrint(KlipperState reported) {
        return reported.isScriptRunning()
                && "standby".equals(reported.object("print_stats").get("state"));
    }

    private static PrintPhase phase(String state, Map<String, Object> print) {
        return switch (state) {
            case "standby" -> new PrintPhase(Status.idle);
            case "printing" ->
                new PrintPhase(Tree.number(print, "print_duration", 0) == 0 ? Status.preparing : Status.printing);
            case "paused" -> new PrintPhase(Status.paused);
            case "complete" -> PrintPhase.COMPLETED;
            case "cancelled" -> PrintPhase.CANCELLED;
            case "error" -> new PrintPhase(Status.failed, Ending.FAILED, Tree.text(print, "message"));
            default -> new PrintPhase(Status.unknown);
        };
    }

    private static PrinterStatus.@Nullable File file(KlipperState reported, PrintPhase phase) {
        if (phase.status() == Status.printing && reported.isStreaming()) {
            return new PrinterStatus.File(STREAMED, 0, null, null, null, null, null);
        }
        String name = reported.fileName();
        if (name.isEmpty() || (phase.status() == Status.preparing && isBusyWithoutPrint(reported))) {
            return null;
        }
        Map<String, Object> print = reported.object("print_stats");
        boolean complete = phase.ending() == Ending.COMPLETED;
        double progress = complete ? 1 : progress(reported);
        double elapsed = Tree.number(print, "print_duration", 0);
        Integer layers = totalLayers(reported);
        return new PrinterStatus.File(
                name,
                Math.round(progress * 1000) / 10.0,
                complete && layers != null ? layers : currentLayer(reported, layers),
                layers,
                Math.round(elapsed),
                phase.ending() == null ? remainingSeconds(reported.metadata(), progress, elapsed) : null,
                usedGrams(reported.metadata(), Tree.number(print, "filament_used", 0)));
    }

    /** Returns the progress that the file declares (M73), or else the share of the file that was read. */
    private static double progress(KlipperState reported) {
        double shown = Tree.number(reported.object(KlipperState.ANNOUNCED), "progress", 0);
        double read = Tree.number(reported.object("virtual_sdcard"), "progress", 0);
        return Math.clamp(shown > 0 ? shown : read, 0, 1);
    }

    private static @Nullable Long remainingSeconds(Map<String, Object> metadata, double progress, double elapsed) {
        Double estimated = Tree.number(metadata, "estimated_time");
        if (estimated != null && estimated > elapsed) {
            return Math.round(estimated - elapsed);
        }
        return progress < ENOUGH_TO_GUESS ? null : (Long) Math.round(elapsed * (1 / progress - 1));
    }

    private static @Nullable Integer totalLayers(KlipperState reported) {
        Integer announced = Tree.integer(reported.object("print_stats"), "info", "total_layer");
        if (announced != null && announced >= 0) {
            return announced;
        }
        Integer counted = Tree.integer(reported.metadata(), "layer_count");
        return counted != null && counted >= 0 ? counted : layersByHeight(reported.metadata());
    }

    /** Computes the number of layers from the heights, for slicers that do not number layers. */
    private static @Nullable Integer layersByHeight(Map<String, Object> metadata) {
        Double whole = Tree.number(metadata, "object_height");
        Double height = Tree.number(metadata, "layer_height");
        if (whole == null || whole <= 0 || height == null || height <= 0) {
            return null;
        }
        double first = Tree.number(metadata, "first_layer_height", height);
        return Math.clamp(Math.round(Math.max(0, whole - first) / height), 0, Integer.MAX_VALUE - 1) + 1;
    }

    /** Computes the layer from the height if the slicer announces no layers. */
    private static @Nullable Integer currentLayer(KlipperState reported, @Nullable Integer layers) {
        Integer announced = Tree.integer(reported.object("print_stats"), "info", "current_layer");
        Double height = Tree.number(reported.metadata(), "layer_height");
        List<?> position = Tree.list(reported.object("gcode_move"), "gcode_position");
        if (announced != null || layers == null || height == null || height <= 0 || position.size() < 3) {
            return announced;
        }
        if (Tree.number(reported.object("print_stats"), "print_duration", 0) == 0
                || !(position.get(2) instanceof Number z)) {
            return 0;
        }
        double first = Tree.number(reported.metadata(), "first_layer_height", height);
        return Math.clamp((long) Math.ceil((z.doubleValue() - first) / height - 0.01) + 1, 0, layers);
    }

    private static @Nullable Double usedGrams(Map<String, Object> metadata, double usedMillimetres) {
        Double weight = Tree.number(metadata, "filament_weight_total");
        Double length = Tree.number(metadata, "filament_total");
        return weight == null || length == null || length <= 0
                ? null
                : (Double) (Math.round(100 * weight * usedMillimetres / length) / 100.0);
    }

    private static List<Fault> faults(Map<String, Object> webhooks) {
        String state = String.valueOf(webhooks.get("state"));
        if (!state.equals("shutdown") && !state.equals("error")) {
            return List.of();
        }
        String message = Tree.text(webhooks, "state_message");
        String first =
                message == null ? "" : message.strip().lines().findFirst().orElse("");
        return List.of(new Fault("klippy_" + state, first.isEmpty() ? "Klipper is in state " + state : first));
    }

    private static List<FilamentSlot> slots(Map<String, Object> mmu) {
        List<?> status = Tree.list(mmu, "gate_status");
        List<?> materials = Tree.list(mmu, "gate_material");
        List<?> colors = Tree.list(mmu, "gate_color");
        return IntStream.range(0, status.size())
                .mapToObj(gate -> new FilamentSlot(
                        0,
                        gate,
                        status.get(gate) instanceof Number number && number.intValue() > 0,
                        text(materials, gate),
                        color(text(colors, gate))))
                .toList();
    }

    private static @Nullable String text(List<?> list, int index) {
        return index < list.size() && list.get(index) instanceof String text && !text.isEmpty() ? text : null;
    }

    private static @Nullable String color(@Nullable String color) {
        return color != null && color.matches("[0-9a-fA-F]{6}([0-9a-fA-F]{2})?") ? "#" + color : color;
    }
}
