package farm.gantry.part;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.Valid;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Time and filament of a print: seconds, grams and metres. */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SlicingEstimate(
        long estimatedPrintTimeSeconds,
        double totalWeightGrams,
        String slicedAt,
        String slicerVersion,
        List<@Valid Material> materials,
        @Nullable List<@Valid Plate> plates,
        @Nullable @Valid Profiles profiles) {

    /** One filament; {@code index} counts from 0. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Material(
            int index,
            String materialType,
            double usedGrams,
            double usedMeters,
            @Nullable String color) {}

    @Serdeable
    public record Plate(
            int plateId, long estimatedPrintTimeSeconds, List<@Valid Material> materials, double totalWeightGrams) {}

    @Serdeable
    public record Profiles(
            List<String> filamentProfileIds,
            List<String> filamentProfileNames,
            String machineProfileId,
            String machineProfileName,
            String processProfileId,
            String processProfileName) {}
}
