package farm.gantry.simulator.printer;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A file on a simulated printer, with the metadata of its first and last lines as Moonraker reads them. */
public record GcodeFile(String name, long size, Map<String, Object> metadata) {
    private static final int WINDOW = 1 << 16;
    private static final Pattern TIME = Pattern.compile(
            "(?:estimated printing time \\(normal mode\\) = |total estimated time: |model printing time: )"
                    + "(?:(\\d+)d ?)?(?:(\\d+)h ?)?(?:(\\d+)m ?)?(?:(\\d+)s)?");
    private static final List<MetadataPattern> ROWS = List.of(
            new MetadataPattern("estimated_time", "(?m)^;TIME:([\\d.]+)"),
            new MetadataPattern("layer_count", "total layers? (?:count|number)[ =:]+(\\d+)"),
            new MetadataPattern("layer_count", "LAYER_COUNT:(\\d+)"),
            new MetadataPattern("layer_count", "TOTAL_LAYER=(\\d+)"),
            new MetadataPattern("layer_height", "; layer_height = ([\\d.]+)"),
            new MetadataPattern(
                    "first_layer_extr_temp", "; (?:first_layer_temperature|nozzle_temperature_initial_layer) = (\\d+)"),
            new MetadataPattern(
                    "first_layer_bed_temp", "; (?:first_layer_bed_temperature|hot_plate_temp_initial_layer) = (\\d+)"),
            new MetadataPattern("filament_total", "filament used \\[mm\\] = ([\\d.]+)"),
            new MetadataPattern("filament_weight_total", "filament used \\[g\\] = ([\\d.]+)"));

    private record MetadataPattern(String name, Pattern pattern) {
        MetadataPattern(String name, String pattern) {
            this(name, Pattern.compile(pattern));
        }
    }

    public static GcodeFile of(String name, byte[] content) {
        String text = content.length <= 2 * WINDOW
                ? text(content, 0, content.length)
                : text(content, 0, WINDOW) + text(content, content.length - WINDOW, WINDOW);
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("filename", name);
        metadata.put("size", content.length);
        Matcher time = TIME.matcher(text);
        if (time.find()) {
            metadata.put("estimated_time", seconds(time));
        }
        ROWS.forEach(row -> {
            Matcher matcher = row.pattern().matcher(text);
            if (matcher.find()) {
                metadata.putIfAbsent(row.name(), Double.valueOf(matcher.group(1)));
            }
        });
        return new GcodeFile(name, content.length, metadata);
    }

    private static String text(byte[] content, int from, int length) {
        return new String(content, from, length, StandardCharsets.ISO_8859_1);
    }

    private static double seconds(Matcher time) {
        return 86_400 * part(time.group(1))
                + 3_600 * part(time.group(2))
                + 60 * part(time.group(3))
                + part(time.group(4));
    }

    private static double part(@Nullable String digits) {
        return digits == null ? 0 : Double.parseDouble(digits);
    }

    public @Nullable Double number(String name) {
        return metadata.get(name) instanceof Number number ? (Double) number.doubleValue() : null;
    }

    public double number(String name, double absent) {
        Double number = number(name);
        return number == null ? absent : number;
    }
}
