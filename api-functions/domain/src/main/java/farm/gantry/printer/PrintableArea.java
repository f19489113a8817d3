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

/** The rectangle that a printer prints in, in mm and in its own coordinates; a bed whose origin is its centre begins below 0. */
@Serdeable
@JsonInclude(JsonInclude.Include.ALWAYS)
public record PrintableArea(double minX, double minY, double maxX, double maxY) {
    private static final Pattern POINT = Pattern.compile("(-?[0-9.]+)x(-?[0-9.]+)");

    /** Reads the outline of the bed in a machine profile's settings, under the names of either family of slicers. */
    public static @Nullable PrintableArea fromMachineSettings(Map<String, Object> settings) {
        Matcher point = POINT.matcher(settingText(settings, "printable_area", "bed_shape"));
        DoubleSummaryStatistics x = new DoubleSummaryStatistics();
        DoubleSummaryStatistics y = new DoubleSummaryStatistics();
        try {
            while (point.find()) {
                x.accept(Double.parseDouble(point.group(1)));
                y.accept(Double.parseDouble(point.group(2)));
            }
        } catch (NumberFormatException e) {
            return null;
        }
        return x.getCount() < 2 ? null : new PrintableArea(x.getMin(), y.getMin(), x.getMax(), y.getMax());
    }

    /** The value of a profile's setting that has two names; elements of a list are joined by commas. */
    static String settingText(Map<String, Object> settings, String name, String otherName) {
        Object value = settings.getOrDefault(name, settings.get(otherName));
        return value instanceof List<?> list
                ? list.stream().map(String::valueOf).collect(Collectors.joining(","))
                : String.valueOf(value);
    }

    /** The area of a bed whose origin is its front left corner. */
    public static PrintableArea fromCorner(BedSize bed) {
        return new PrintableArea(0, 0, bed.x(), bed.y());
    }

    /** The area of a bed whose origin is its centre. */
    public static PrintableArea aroundCenter(BedSize bed) {
        return new PrintableArea(-bed.x() / 2, -bed.y() / 2, bed.x() / 2, bed.y() / 2);
    }
}
