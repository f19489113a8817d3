package farm.gantry.edge.provider.anycubic;

import farm.gantry.edge.refusal.Refusal;
import farm.gantry.job.PrintJob;
import farm.gantry.json.Tree;
import farm.gantry.wire.Command;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The command to print a file; {@code md5} and {@code print} are null if unknown. */
record AnycubicPrintCommand(String fileName, @Nullable String md5, Command.@Nullable Print print) {
    /** The box number of an external spool. */
    private static final int EXTERNAL = 254;

    private static final int SLOTS = 4;
    private static final int OPAQUE = 255;

    AnycubicCommand toCommand(AnycubicState reported) throws Refusal {
        Map<String, @Nullable Object> data = new LinkedHashMap<>();
        data.put("taskid", AnycubicCommand.THIS_JOB);
        data.put("filename", fileName);
        if (md5 != null) {
            data.put("md5", md5);
        }
        data.put("filepath", null);
        data.put("filetype", 1);
        List<Map<String, Object>> filaments = slotMapping(reported);
        if (filaments != null) {
            data.put("ams_settings", Map.of("use_ams", !filaments.isEmpty(), "ams_box_mapping", filaments));
        }
        return new AnycubicCommand("print", "start", data);
    }

    /**
     * Returns the slot of each filament: an empty list if external spools were chosen, and null if nothing was chosen,
     * so that the printer uses its own setting.
     */
    private @Nullable List<Map<String, Object>> slotMapping(AnycubicState reported) throws Refusal {
        if (print == null) {
            return null;
        }
        Map<String, PrintJob.Slot> places = print.materialMapping() == null ? Map.of() : print.materialMapping();
        boolean external =
                !places.isEmpty() && places.values().stream().allMatch(place -> place.amsIndex() >= EXTERNAL);
        if (external
                || (print.options() != null
                        && Boolean.FALSE.equals(print.options().get("use_ams")))) {
            return List.of();
        }
        Map<Integer, PrintJob.Slot> byFilament = new TreeMap<>();
        places.forEach((filament, place) -> byFilament.put(Integer.valueOf(filament), place));
        List<Map<String, Object>> filaments = new ArrayList<>();
        for (Map.Entry<Integer, PrintJob.Slot> filament : byFilament.entrySet()) {
            filaments.add(mapFilament(filament.getKey(), filament.getValue(), reported));
        }
        return filaments.isEmpty() ? null : filaments;
    }

    /** Returns the mapping of one filament to its slot. Refuses an empty slot. */
    private static Map<String, Object> mapFilament(int number, PrintJob.Slot place, AnycubicState reported)
            throws Refusal {
        Map<String, Object> slot = reported.slots().getOrDefault(place, Map.of());
        String type = Tree.text(slot, "type");
        if (type == null || type.isBlank()) {
            throw new Refusal("the printer reports no filament in slot %d of box %d"
                    .formatted(place.slotIndex(), place.amsIndex()));
        }
        List<Object> color =
                new ArrayList<>(Tree.list(slot, "color").stream().limit(3).toList());
        color.add(OPAQUE);
        return Map.of(
                "paint_index",
                number,
                "ams_index",
                place.amsIndex() * SLOTS + place.slotIndex(),
                "paint_color",
                color,
                "ams_color",
                color,
                "material_type",
                type);
    }
}
