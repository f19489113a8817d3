package farm.gantry.printer;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.serde.annotation.Serdeable;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A size in mm: of a printer's build volume, copied from its machine profile, or of the room that a print needs. */
@Serdeable
@JsonInclude(JsonInclude.Include.ALWAYS)
public record BedSize(double x, double y, double z) {
    private static final double SLACK = 0.01;

    /**
     * Returns the printable space in a machine profile's settings, by the setting names of either family of slicers; null if they do not
     * contain it.
     */
    public static @Nullable BedSize fromMachineSettings(Map<String, Object> settings) {
        PrintableArea area = PrintableArea.fromMachineSettings(settings);
        try {
            double height =
                    Double.parseDouble(PrintableArea.settingText(settings, "printable_height", "max_print_height"));
            return area == null ? null : new BedSize(area.maxX() - area.minX(), area.maxY() - area.minY(), height);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** Returns the smallest size into which both fit; either may be null (unknown). */
    public static @Nullable BedSize smallestEnclosing(@Nullable BedSize one, @Nullable BedSize other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return new BedSize(Math.max(one.x, other.x), Math.max(one.y, other.y), Math.max(one.z, other.z));
    }

    /** Returns whether a print of that size fits, with a tolerance for rounding by slicers. */
    public boolean fits(BedSize needed) {
        return x + SLACK >= needed.x() && y + SLACK >= needed.y() && z + SLACK >= needed.z();
    }

    /** Returns the area of a bed of this size whose origin is its front left corner. */
    public PrintableArea areaFromCorner() {
        return new PrintableArea(0, 0, x, y);
    }

    /** Returns the area of a bed of this size whose origin is its centre. */
    public PrintableArea areaAroundCenter() {
        return new PrintableArea(-x / 2, -y / 2, x / 2, y / 2);
    }
}
