package farm.gantry.builds;

import farm.gantry.part.SlicingEstimate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One plate to print, so often in each copy of its part; a part without plates has one sheet of no plate.
 * {@code fileUri} is the file to print, null where it is yet to be sliced. Of its filaments only those of
 * {@code filaments} are used; null where that is not known.
 */
public record Sheet(
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
