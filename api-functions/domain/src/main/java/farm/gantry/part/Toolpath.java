package farm.gantry.part;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.serde.annotation.Serdeable;
import org.jspecify.annotations.Nullable;

/**
 * Summary of what a G-code makes its printer do. {@code minX} to {@code maxY} bound the printed objects in mm, in the printer's
 * coordinates, without purge lines, skirts, brims and rafts; null where nothing is extruded. The temperatures are the highest
 * that it sets, in °C; null where it sets none. {@code isPrint} is false where the nozzle moves and nothing is extruded.
 */
@Serdeable
@JsonInclude(JsonInclude.Include.ALWAYS)
public record Toolpath(
        @Nullable Double minX,
        @Nullable Double minY,
        @Nullable Double maxX,
        @Nullable Double maxY,
        @Nullable Double maxNozzleTemperature,
        @Nullable Double maxBedTemperature,
        boolean isPrint) {

    /** The summary of two plates, of which each is printed by itself. */
    public Toolpath merge(Toolpath other) {
        return new Toolpath(
                min(minX, other.minX),
                min(minY, other.minY),
                max(maxX, other.maxX),
                max(maxY, other.maxY),
                max(maxNozzleTemperature, other.maxNozzleTemperature),
                max(maxBedTemperature, other.maxBedTemperature),
                isPrint && other.isPrint);
    }

    private static @Nullable Double min(@Nullable Double one, @Nullable Double other) {
        return one == null || other == null ? (one == null ? other : one) : Double.valueOf(Math.min(one, other));
    }

    private static @Nullable Double max(@Nullable Double one, @Nullable Double other) {
        return one == null || other == null ? (one == null ? other : one) : Double.valueOf(Math.max(one, other));
    }
}
