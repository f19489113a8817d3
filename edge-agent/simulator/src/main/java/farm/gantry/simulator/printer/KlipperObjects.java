package farm.gantry.simulator.printer;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts a simulated printer to Klipper's status objects. */
record KlipperObjects(SimulatedPrinter printer) {

    Map<String, Map<String, Object>> allObjects() {
        PrintState print = printer.print();
        Map<String, Map<String, Object>> objects = new LinkedHashMap<>();
        objects.put("webhooks", Map.of("state", printer.klippy(), "state_message", printer.klippyMessage()));
        objects.put("idle_timeout", Map.of("state", printer.activity(), "printing_time", print.total()));
        objects.put("print_stats", printStats());
        boolean over = print.file() == null || print.state().equals("cancelled");
        double progress = over ? 0 : print.progress();
        objects.put("virtual_sdcard", Map.of("progress", progress, "is_active", print.isPrinting()));
        // The last M73 applies until the next print sends one.
        double announced = print.isActive() && print.printed() == 0 ? printer.previousProgress() : progress;
        objects.put("display_status", Map.of("progress", Math.floor(announced * 100) / 100));
        objects.put("extruder", heater(printer.nozzle()));
        objects.put("heater_bed", heater(printer.bed()));
        objects.put("heater_generic chamber", Map.of("temperature", 24.0, "target", 0.0));
        objects.put("fan", Map.of("speed", 0.0));
        objects.put("output_pin caselight", Map.of("value", 0.0));
        objects.put("exclude_object", Map.of("excluded_objects", printer.excluded()));
        FilamentUnit unit = printer.unit();
        if (unit != null) {
            objects.put("mmu", unit.object());
        }
        objects.put("toolhead", Map.of("extruder", "extruder"));
        objects.put("motion_report", Map.of("live_position", printer.livePosition()));
        objects.put("gcode_move", Map.of("gcode_position", List.of(90.0, 40.0, rounded(print.layer() * 0.2), 0.0)));
        return objects;
    }

    private static Map<String, Object> heater(Heater heater) {
        return Map.of("temperature", rounded(heater.temperature()), "target", heater.target());
    }

    private Map<String, Object> printStats() {
        PrintState print = printer.print();
        GcodeFile file = print.file();
        Map<String, @Nullable Object> info = new LinkedHashMap<>();
        info.put("total_layer", file == null ? null : print.layers());
        info.put("current_layer", file == null ? null : print.layer());
        double length = file == null ? 0 : file.number("filament_total", 1_000);
        Map<String, Object> stats = new LinkedHashMap<>();
        stats.put("filename", file == null ? "" : file.name());
        stats.put("total_duration", print.total());
        stats.put("print_duration", print.printed());
        stats.put("filament_used", rounded(print.progress() * length));
        stats.put("state", print.state());
        stats.put("message", print.message());
        stats.put("info", info);
        return stats;
    }

    private static double rounded(double value) {
        return Math.round(value * 100) / 100.0;
    }
}
