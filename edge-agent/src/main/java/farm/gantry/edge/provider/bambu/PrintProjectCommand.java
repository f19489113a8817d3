package farm.gantry.edge.provider.bambu;

import farm.gantry.edge.printer.connection.PrinterBindings;
import farm.gantry.job.PrintJob;
import farm.gantry.json.Tree;
import farm.gantry.wire.Command;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The command to print a project from the printer's SD card. */
record PrintProjectCommand(String fileName, Command.@Nullable Print print, PrinterBindings bindings) {
    static final String FIRST_PLATE = "Metadata/plate_1.gcode";
    private static final int AUTOMATIC = 2;
    private static final Map<String, Object> USUAL_OPTIONS = Map.of(
            "use_ams", PrinterBindings.defaultOption("use_ams", true),
            "do_bed_leveling", PrinterBindings.defaultOption("bed_leveling", true),
            "do_flow_cali", PrinterBindings.defaultOption("flow_cali", false),
            "enable_timelapse", PrinterBindings.defaultOption("timelapse", false));

    /**
     * Returns the name of a file on the printer, with the extension of a project, because the printer accepts only
     * projects.
     */
    static String projectFileName(String fileName) {
        return fileName + ".3mf";
    }

    /**
     * Returns the task id for the print of this file. It fits in 31 bits, because the printer does not start prints
     * with larger ids, and is not zero, which is the id of prints started at the screen.
     */
    static String taskId(String fileName) {
        return String.valueOf(Math.max(1, fileName.hashCode() & Integer.MAX_VALUE));
    }

    Map<String, Object> message(boolean hasUnits) {
        Map<String, Object> options = print == null || print.options() == null ? Map.of() : print.options();
        Map<String, PrintJob.Slot> places =
                print == null || print.materialMapping() == null ? Map.of() : print.materialMapping();
        String plate = print == null || print.plateEntry() == null ? FIRST_PLATE : print.plateEntry();
        Map<String, Object> message = new LinkedHashMap<>(bindings.resolveOptions(options, USUAL_OPTIONS));
        message.put("command", "project_file");
        message.put("param", plate);
        message.put("url", "ftp://" + projectFileName(fileName));
        message.put("file", projectFileName(fileName));
        message.put("md5", "");
        message.put("bed_type", Objects.requireNonNullElse(Tree.text(options, "bed_type"), "auto"));
        message.put("auto_bed_leveling", Tree.flag(message, "bed_leveling") ? AUTOMATIC : 0);
        message.put("vibration_cali", true);
        message.put("layer_inspect", false);
        message.put("subtask_name", fileName);
        message.put("profile_id", "0");
        List.of("project_id", "subtask_id", "task_id").forEach(name -> message.put(name, taskId(fileName)));
        boolean external =
                !places.isEmpty() && places.values().stream().allMatch(place -> AmsUnits.isExternal(place.amsIndex()));
        if (!hasUnits || external) {
            message.put("use_ams", false);
        }
        if (!places.isEmpty()) {
            addMapping(message, places);
        }
        return message;
    }

    /** Sets the mapping: the slot for each filament of the file. */
    private static void addMapping(Map<String, Object> message, Map<String, PrintJob.Slot> places) {
        TreeMap<Integer, PrintJob.Slot> byFilament = new TreeMap<>();
        places.forEach((filament, place) -> byFilament.put(Integer.valueOf(filament), place));
        int filaments = byFilament.lastKey() + 1;
        List<Integer> flat = new ArrayList<>(Collections.nCopies(filaments, -1));
        List<Map<String, Integer>> exact =
                new ArrayList<>(Collections.nCopies(filaments, slotMapping(AmsUnits.EXTERNAL, 255)));
        byFilament.forEach((filament, place) -> {
            flat.set(filament, AmsUnits.mappingNumber(place.amsIndex(), place.slotIndex()));
            exact.set(filament, slotMapping(place.amsIndex(), place.slotIndex()));
        });
        message.put("ams_mapping", flat);
        message.put("ams_mapping2", exact);
    }

    private static Map<String, Integer> slotMapping(int unit, int slot) {
        return Map.of("ams_id", unit, "slot_id", slot);
    }
}
