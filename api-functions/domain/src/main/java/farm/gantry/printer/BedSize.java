package farm.gantry.printer;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.serde.annotation.Serdeable;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Room in mm: a printer's, copied from its machine profile, or what a print needs. */
@Serdeable
@JsonInclude(JsonInclude.Include.ALWAYS)
public record BedSize(double x, double y, double z) {
    private static final double SLACK = 0.01;
    private static final Pattern POINT = Pattern.compile("(-?[0-9.]+)x(-?[0-9.]+)");

    /**
     * The space that a machine profile's settings leave to print in, under the names of either family of slicers; null
     * where they do not tell.
     */
    public static @Nullable BedSize of(Map<String, Object> settings) {
        Matcher point = POINT.matcher(text(settings, "printable_area", "bed_shape"));
        DoubleSummaryStatistics x = new DoubleSummaryStatistics();
        DoubleSummaryStatistics y = new DoubleSummaryStatistics();
        try {
            while (point.find()) {
                x.accept(Double.parseDouble(point.group(1)));
                y.accept(Double.parseDouble(point.group(2)));
            }
            double height = Double.parseDouble(text(settings, "printable_height", "max_print_height"));
            return x.getCount() < 2 ? null : new BedSize(x.getMax() - x.getMin(), y.getMax() - y.getMin(), height);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** What both fit into; either may be unknown. */
    public static @Nullable BedSize around(@Nullable BedSize one, @Nullable BedSize other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return new BedSize(Math.max(one.x, other.x), Math.max(one.y, other.y), Math.max(one.z, other.z));
    }

    /** Whether what needs that room has it here; slicers round. */
    public boolean holds(BedSize needed) {
        return x + SLACK >= needed.x() && y + SLACK >= needed.y() && z + SLACK >= needed.z();
    }

    private static String text(Map<String, Object> settings, String name, String other) {
        Object value = settings.getOrDefault(name, settings.get(other));
        return value instanceof List<?> list
                ? list.stream().map(String::valueOf).collect(Collectors.joining(","))
                : String.valueOf(value);
    }
}
