package farm.gantry.builds;

import farm.gantry.part.SlicingEstimate;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A plate to print, {@code copies} times in each copy of its part; a part without plates has one without id.
 * {@code fileUri} is the file to print, null until it is sliced.
 */
public record PlatePlan(
        @Nullable Integer plateId,
        @Nullable String plateName,
        @Nullable String label,
        @Nullable String gcodeFile,
        @Nullable String thumbnailUri,
        @Nullable String fileUri,
        @Nullable List<String> skipObjects,
        Estimate estimate,
        int copies) {

    /** The estimates of a plate, each null if unknown; {@code filaments} are the indices of the filaments it uses. */
    public record Estimate(
            @Nullable List<Integer> filaments,
            @Nullable Long seconds,
            @Nullable Double grams,
            @Nullable Integer layerCount,
            SlicingEstimate.@Nullable FirstLayer firstLayer) {
        private static final Estimate NONE = new Estimate(null, null, null, null, null);

        static Estimate of(@Nullable SlicingEstimate part) {
            return part == null
                    ? NONE
                    : new Estimate(
                            usedFilaments(part.materials()),
                            part.estimatedPrintTimeSeconds(),
                            part.totalWeightGrams(),
                            part.layerCount(),
                            part.firstLayer());
        }

        static Estimate ofPlate(@Nullable SlicingEstimate part, int plateId) {
            return Stream.ofNullable(part == null ? null : part.plates())
                    .flatMap(List::stream)
                    .filter(plate -> plate.plateId() == plateId)
                    .findFirst()
                    .map(plate -> new Estimate(
                            usedFilaments(plate.materials()),
                            plate.estimatedPrintTimeSeconds(),
                            plate.totalWeightGrams(),
                            plate.layerCount(),
                            plate.firstLayer()))
                    .orElse(NONE);
        }

        private static @Nullable List<Integer> usedFilaments(List<SlicingEstimate.Material> materials) {
            List<Integer> used = materials.stream()
                    .filter(SlicingEstimate.Material::takesFilament)
                    .map(SlicingEstimate.Material::index)
                    .toList();
            return used.isEmpty() ? null : used;
        }
    }
}
