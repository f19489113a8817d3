package farm.gantry.part;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.Valid;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The estimated time and filament of a print: seconds, grams and metres. Grams are null if the file does not state them. */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SlicingEstimate(
        long estimatedPrintTimeSeconds,
        @JsonInclude(JsonInclude.Include.ALWAYS) @Nullable Double totalWeightGrams,
        String slicedAt,
        String slicerVersion,
        List<@Valid Material> materials,
        @Nullable List<@Valid Plate> plates,
        @Nullable @Valid Profiles profiles,
        @Nullable Integer layerCount,
        @Nullable FirstLayer firstLayer,
        @Nullable @Valid Range range) {

    /**
     * The minimum and maximum estimates over the profiles of several kinds of printers, if they differ, and the names of their machine
     * profiles.
     */
    @Serdeable
    public record Range(
            long minPrintTimeSeconds,
            long maxPrintTimeSeconds,
            @Nullable Double minWeightGrams,
            @Nullable Double maxWeightGrams,
            List<String> machineProfileNames) {}

    /** A filament; {@code index} counts from 0. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Material(
            int index,
            String materialType,

            @JsonInclude(JsonInclude.Include.ALWAYS) @Nullable
            Double usedGrams,

            double usedMeters,
            @Nullable String color) {

        /** Returns whether the print uses the filament, according to the file. */
        public boolean takesFilament() {
            return usedGrams == null || usedGrams > 0;
        }
    }

    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Plate(
            int plateId,
            long estimatedPrintTimeSeconds,
            List<@Valid Material> materials,

            @JsonInclude(JsonInclude.Include.ALWAYS) @Nullable
            Double totalWeightGrams,

            @Nullable Integer layerCount,
            @Nullable FirstLayer firstLayer) {}

    /** The temperatures of the first layer, in °C, which must be reached before the print starts. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record FirstLayer(
            @Nullable Double bedTemperature, @Nullable Double nozzleTemperature) {}

    @Serdeable
    public record Profiles(
            List<String> filamentProfileIds,
            List<String> filamentProfileNames,
            String machineProfileId,
            String machineProfileName,
            String processProfileId,
            String processProfileName) {}
}
