package farm.gantry.part;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.Valid;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Time and filament of a print: seconds, grams and metres. Grams are null where the file does not say them. */
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

    /** The estimates with the profiles of several kinds of printers, where they differ: the least and the most, and the machines. */
    @Serdeable
    public record Range(
            long minPrintTimeSeconds,
            long maxPrintTimeSeconds,
            @Nullable Double minWeightGrams,
            @Nullable Double maxWeightGrams,
            List<String> machineProfileNames) {}

    /** One filament; {@code index} counts from 0. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Material(
            int index,
            String materialType,

            @JsonInclude(JsonInclude.Include.ALWAYS) @Nullable
            Double usedGrams,

            double usedMeters,
            @Nullable String color) {

        /** Whether the print takes some of it, as far as the file tells. */
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

    /** Temperatures required before the print starts, in °C. */
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
