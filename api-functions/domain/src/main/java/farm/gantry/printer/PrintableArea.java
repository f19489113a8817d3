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

/** The printable rectangle of a printer, in mm and in its own coordinates. If the origin is the centre of the bed, it begins below 0. */
@Serdeable
@JsonInclude(JsonInclude.Include.ALWAYS)
public record PrintableArea(double minX, double minY, double maxX, double maxY) {
    private static final Pattern POINT = Pattern.compile("(-?[0-9.]+)x(-?[0-9.]+)");

    /** Reads the bed's outline from a machine profile's settings, by the setting names of either family of slicers. */
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

    /** Returns the value of a setting that has two names; the elements of a list are joined by commas. */
    static String settingText(Map<String, Object> settings, String name, String otherName) {
        Object value = settings.getOrDefault(name, settings.get(otherName));
        return value instanceof List<?> list
                ? list.stream().map(String::valueOf).collect(Collectors.joining(","))
                : String.valueOf(value);
    }
}
