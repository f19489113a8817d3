package farm.gantry.edge.provider.bambu;

import farm.gantry.json.Tree;
import farm.gantry.printer.PrinterState.FilamentSlot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Parses and merges the material units (AMS) in a printer's reports, which contain all units, only their state, or one
 * slot of one unit.
 */
final class AmsUnits {
    static final int EXTERNAL = 255;
    static final int SECOND_EXTERNAL = 254;
    /**
     * The number of the first unit with a single slot. The bits of such units follow the sixteen bits of four units
     * with four slots.
     */
    private static final int FIRST_SINGLE_UNIT = 128;

    private static final int FIRST_SINGLE_BIT = 16;
    private static final int SLOTS_PER_UNIT = 4;

    private AmsUnits() {}

    /**
     * Merges a report into the known units. {@code whole} is whether the report lists all units, so that omitted units
     * were removed.
     */
    static Map<String, Object> merge(Map<String, Object> known, Map<String, Object> reported, boolean whole) {
        Map<String, Object> merged = new LinkedHashMap<>(known);
        merged.putAll(reported);
        if (reported.get("ams") instanceof List<?> units) {
            merged.put("ams", units(whole ? List.of() : Tree.list(known, "ams"), Tree.list(known, "ams"), units));
        }
        return merged;
    }

    private static List<Map<String, Object>> units(List<?> current, List<?> known, List<?> reported) {
        Map<String, Map<String, Object>> units = byId(current);
        Map<String, Map<String, Object>> before = byId(known);
        byId(reported).forEach((id, unit) -> {
            Map<String, Object> merged = new LinkedHashMap<>(before.getOrDefault(id, Map.of()));
            merged.putAll(unit);
            if (unit.get("tray") instanceof List<?> trays) {
                merged.put("tray", trays(Tree.list(before.get(id), "tray"), trays));
            }
            units.put(id, merged);
        });
        return new ArrayList<>(units.values());
    }

    /** Merges the slots of a unit. A slot of which the report contains only the number is empty now. */
    private static List<Map<String, Object>> trays(List<?> known, List<?> reported) {
        Map<String, Map<String, Object>> trays = byId(known);
        byId(reported).forEach((id, tray) -> {
            boolean emptied = tray.keySet().stream().allMatch(name -> name.equals("id") || name.equals("state"));
            Map<String, Object> merged = new LinkedHashMap<>(emptied ? Map.of() : trays.getOrDefault(id, Map.of()));
            merged.putAll(tray);
            trays.put(id, merged);
        });
        return new ArrayList<>(trays.values());
    }

    private static Map<String, Map<String, Object>> byId(List<?> members) {
        Map<String, Map<String, Object>> byId = new LinkedHashMap<>();
        members.forEach(member -> byId.put(String.valueOf(Tree.object(member).get("id")), Tree.object(member)));
        return byId;
    }

    /** Returns the slots of all units, then the spool holders beside them. */
    static List<FilamentSlot> slots(Map<String, Object> print) {
        String bits = Tree.text(print, "ams", "tray_exist_bits");
        Long exist = bits == null || !bits.matches("[0-9a-fA-F]{1,15}") ? null : (Long) Long.parseLong(bits, 16);
        Stream<FilamentSlot> units = Tree.list(print, "ams", "ams").stream().flatMap(unit -> {
            int id = number(unit, "id");
            return Tree.list(unit, "tray").stream().map(tray -> slot(id, number(tray, "id"), tray, exist));
        });
        return Stream.concat(units, externalSpools(print)).toList();
    }

    private static Stream<FilamentSlot> externalSpools(Map<String, Object> print) {
        List<?> several = Tree.list(print, "vir_slot");
        if (!several.isEmpty()) {
            return several.stream().map(tray -> slot(number(tray, "id"), 0, tray, null));
        }
        return print.get("vt_tray") instanceof Map<?, ?> tray ? Stream.of(slot(EXTERNAL, 0, tray, null)) : Stream.of();
    }

    private static FilamentSlot slot(int unit, int place, Object tray, @Nullable Long exist) {
        String type = Tree.text(tray, "tray_type");
        boolean named = type != null && !type.isBlank();
        boolean loaded = exist == null ? named : (exist >> slotBit(unit, place) & 1) == 1;
        return new FilamentSlot(
                unit,
                place,
                loaded,
                loaded && named ? type : null,
                loaded && named ? color(tray) : null,
                loaded && named ? remainingGrams(tray) : null);
    }

    /**
     * Returns the remaining grams: the reported percentage of the weight on the spool's tag. Null without a tag,
     * because the percentage then only counts down from 100.
     */
    private static @Nullable Double remainingGrams(Object tray) {
        String tag = Tree.text(tray, "tag_uid");
        String weight = String.valueOf(Tree.object(tray).get("tray_weight"));
        String percent = String.valueOf(Tree.object(tray).get("remain"));
        boolean isTagged = tag != null && tag.chars().anyMatch(digit -> digit != '0');
        if (!isTagged || !weight.matches("[1-9]\\d{1,4}") || !percent.matches("\\d{1,3}(\\.\\d{1,6})?")) {
            return null;
        }
        return Double.parseDouble(percent) > 100
                ? null
                : Double.valueOf(Double.parseDouble(percent) * Integer.parseInt(weight) / 100);
    }

    private static int slotBit(int unit, int place) {
        return unit < FIRST_SINGLE_UNIT ? unit * SLOTS_PER_UNIT + place : FIRST_SINGLE_BIT + unit - FIRST_SINGLE_UNIT;
    }

    private static @Nullable String color(Object tray) {
        String color = Tree.text(tray, "tray_color");
        return color != null && color.matches("[0-9a-fA-F]{6}([0-9a-fA-F]{2})?") ? "#" + color : null;
    }

    private static int number(@Nullable Object tree, String name) {
        String text = String.valueOf(Tree.object(tree).get(name));
        return text.matches("\\d{1,4}") ? Integer.parseInt(text) : 0;
    }

    /**
     * Returns the number of a slot in a print's filament mapping: all slots of all units counted in sequence, and -1
     * for an external spool.
     */
    static int mappingNumber(int unit, int place) {
        if (isExternal(unit)) {
            return -1;
        }
        return unit < FIRST_SINGLE_UNIT ? unit * SLOTS_PER_UNIT + place : unit;
    }

    static boolean isExternal(int unit) {
        return unit == EXTERNAL || unit == SECOND_EXTERNAL;
    }
}
