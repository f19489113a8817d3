package farm.gantry.printer;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.serde.annotation.Serdeable;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Room in mm: a printer's, copied from its machine profile, or what a print needs. */
@Serdeable
@JsonInclude(JsonInclude.Include.ALWAYS)
public record BedSize(double x, double y, double z) {
    private static final double SLACK = 0.01;

    /**
     * The space that a machine profile's settings leave to print in, under the names of either family of slicers; null
     * where they do not tell.
     */
    public static @Nullable BedSize fromMachineSettings(Map<String, Object> settings) {
        PrintableArea area = PrintableArea.fromMachineSettings(settings);
        try {
            double height = Double.parseDouble(PrintableArea.settingText(settings, "printable_height", "max_print_height"));
            return area == null ? null : new BedSize(area.maxX() - area.minX(), area.maxY() - area.minY(), height);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** Returns the smallest size that both fit into; either may be unknown. */
    public static @Nullable BedSize smallestEnclosing(@Nullable BedSize one, @Nullable BedSize other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return new BedSize(Math.max(one.x, other.x), Math.max(one.y, other.y), Math.max(one.z, other.z));
    }

    /** Whether what needs that room has it here; slicers round. */
    public boolean fits(BedSize needed) {
        return x + SLACK >= needed.x() && y + SLACK >= needed.y() && z + SLACK >= needed.z();
    }
}
