package farm.gantry.edge.provider.bambu;

import farm.gantry.edge.printer.connection.CommandArguments;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.json.Tree;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The filament of a slot in the printer's terms: its type, the id of a filament profile that the printer knows, and its
 * print temperatures in °C. A command may set the id and the temperatures ({@code filamentId}, {@code nozzleTempMin},
 * {@code nozzleTempMax}).
 */
record BambuLabFilament(String type, String id, int minTemperature, int maxTemperature) {
    private static final BambuLabFilament NONE = new BambuLabFilament("", "", 0, 0);
    /** The generic filaments with their temperatures, as slicers define them. */
    private static final Map<String, BambuLabFilament> GENERIC = Map.ofEntries(
            generic("PLA", "GFL99", 190, 240),
            generic("PLA-CF", "GFL98", 190, 240),
            generic("PETG", "GFG99", 220, 260),
            generic("PETG-CF", "GFG98", 240, 270),
            generic("ABS", "GFB99", 240, 270),
            generic("ASA", "GFB98", 240, 270),
            generic("TPU", "GFU99", 200, 250),
            generic("PA", "GFN99", 260, 290),
            generic("PA-CF", "GFN98", 260, 290),
            generic("PC", "GFC99", 260, 280),
            generic("PVA", "GFS99", 190, 210),
            generic("HIPS", "GFS98", 220, 260));

    private static final String WHITE = "FFFFFFFF";
    private static final String NO_COLOR = "00000000";

    private static Map.Entry<String, BambuLabFilament> generic(
            String type, String id, int minTemperature, int maxTemperature) {
        return Map.entry(type, new BambuLabFilament(type, id, minTemperature, maxTemperature));
    }

    /** Returns the fields of the command that sets a slot's filament. Without a type, the slot is set to empty. */
    static Map<String, Object> toFields(CommandArguments info) throws Refusal {
        int unit = info.requireInteger("amsId");
        int place = info.requireInteger("slotId");
        BambuLabFilament filament = parse(info);
        Map<String, Object> setting = new LinkedHashMap<>();
        setting.put("ams_id", unit);
        setting.put("slot_id", place);
        setting.put("tray_id", AmsUnits.isExternal(unit) ? AmsUnits.SECOND_EXTERNAL : place);
        setting.put("tray_info_idx", filament.id());
        setting.put("tray_type", filament.type());
        setting.put("tray_color", filament.equals(NONE) ? NO_COLOR : color(Tree.text(info.values(), "color")));
        setting.put("nozzle_temp_min", filament.minTemperature());
        setting.put("nozzle_temp_max", filament.maxTemperature());
        return setting;
    }

    private static BambuLabFilament parse(CommandArguments info) throws Refusal {
        String type = baseType(info.textOrDefault("materialType", ""));
        if (type.isEmpty()) {
            return NONE;
        }
        BambuLabFilament usual = GENERIC.get(type);
        if (usual == null && !info.values().keySet().containsAll(List.of("nozzleTempMin", "nozzleTempMax"))) {
            throw new Refusal("unknown temperatures for " + type + ": give nozzleTempMin and nozzleTempMax");
        }
        BambuLabFilament known = Objects.requireNonNullElse(usual, new BambuLabFilament(type, "", 0, 0));
        int minTemperature = temperature(info, "nozzleTempMin", known.minTemperature());
        int maxTemperature = temperature(info, "nozzleTempMax", known.maxTemperature());
        if (minTemperature > maxTemperature) {
            throw new Refusal("nozzleTempMin " + minTemperature + " is above nozzleTempMax " + maxTemperature);
        }
        return new BambuLabFilament(type, info.textOrDefault("filamentId", known.id()), minTemperature, maxTemperature);
    }

    /** Returns the filament's base type: without its suffix, because the printer matches only base types. */
    private static String baseType(String reported) {
        String type = reported.strip().toUpperCase(Locale.ROOT);
        String kind = type.replaceFirst("[+ ].*", "");
        return GENERIC.containsKey(kind) ? kind : type;
    }

    private static int temperature(CommandArguments info, String name, int usual) throws Refusal {
        return info.values().containsKey(name) ? info.requireInteger(name) : usual;
    }

    /** Returns the first of several colors; opaque unless an alpha value is given. */
    private static String color(@Nullable String reported) throws Refusal {
        if (reported == null) {
            return WHITE;
        }
        String color = reported.replaceFirst("^#", "").replaceFirst(";.*", "").toUpperCase(Locale.ROOT);
        if (!color.matches("[0-9A-F]{6}([0-9A-F]{2})?")) {
            throw new Refusal("the color must be #RRGGBB or #RRGGBBAA, not " + reported);
        }
        return color.length() == WHITE.length() ? color : color + "FF";
    }
}
