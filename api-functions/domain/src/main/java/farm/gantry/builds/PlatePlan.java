package farm.gantry.builds;

import farm.gantry.part.SlicingEstimate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A plate to print, {@code copies} times in each copy of its part; a part without plates has one without id.
 * {@code fileUri} is the file to print, null until it is sliced; {@code filaments} are the indices of the filaments it uses,
 * null if unknown.
 */
public record PlatePlan(
        @Nullable Integer plateId,
        @Nullable String plateName,
        @Nullable String label,
        @Nullable String gcodeFile,
        @Nullable String thumbnailUri,
        @Nullable String fileUri,
        @Nullable List<String> skipObjects,
        @Nullable List<Integer> filaments,
        @Nullable Long seconds,
        @Nullable Double grams,
        @Nullable Integer layerCount,
        SlicingEstimate.@Nullable FirstLayer firstLayer,
        int copies) {}
