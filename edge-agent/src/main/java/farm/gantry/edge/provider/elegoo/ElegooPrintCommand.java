package farm.gantry.edge.provider.elegoo;

import farm.gantry.edge.printer.connection.PrinterBindings;
import farm.gantry.job.PrintJob;
import farm.gantry.wire.Command;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The command to print a file; {@code print} is null if its filaments and options are unknown. */
record ElegooPrintCommand(String fileName, Command.@Nullable Print print, PrinterBindings bindings) {
    /**
     * The default of each option. All options are always sent, because an omitted option keeps the value of the
     * previous print.
     */
    private static final Map<String, Object> USUAL_OPTIONS = Map.of(
            "do_bed_leveling", PrinterBindings.defaultOption("printer_check", true),
            "enable_timelapse", PrinterBindings.defaultOption("delay_video", false));

    ElegooCommand toCommand() {
        Map<String, Object> options = print == null || print.options() == null ? Map.of() : print.options();
        Map<String, Object> config = new LinkedHashMap<>(bindings.resolveOptions(options, USUAL_OPTIONS));
        config.put("print_layout", "A");
        config.put("bedlevel_force", false);
        config.put("slot_map", Boolean.FALSE.equals(options.get("use_ams")) ? List.of() : slotMapping());
        return new ElegooCommand(1020, Map.of("storage_media", "local", "filename", fileName, "config", config));
    }

    /**
     * Returns the slot of each filament of the file. The maker's own library calls the filament {@code t}, as here, and
     * some descriptions of the protocol {@code slot}; nobody has tested which of them every firmware accepts.
     */
    private List<Map<String, Integer>> slotMapping() {
        Map<String, PrintJob.Slot> mapping =
                print == null || print.materialMapping() == null ? Map.of() : print.materialMapping();
        return mapping.entrySet().stream()
                .filter(entry -> entry.getKey().matches("\\d{1,3}"))
                .sorted(Comparator.comparing(entry -> Integer.valueOf(entry.getKey())))
                .map(entry -> Map.of(
                        "t", Integer.valueOf(entry.getKey()),
                        "canvas_id", entry.getValue().amsIndex(),
                        "tray_id", entry.getValue().slotIndex()))
                .toList();
    }
}
