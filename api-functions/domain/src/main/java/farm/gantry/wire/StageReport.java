package farm.gantry.wire;

import farm.gantry.part.Part;
import farm.gantry.part.PartMetadata;
import farm.gantry.part.Processing;
import farm.gantry.part.SlicingEstimate;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Worker → API: a stage of a run moved, and this was found. Whoever keeps the part drops reports of another run. */
@Serdeable
public record StageReport(
        String storeId,
        String partId,
        String workflowKey,
        Processing.Stage stage,
        @Nullable Findings findings) {

    /** What a stage found; null is "nothing new", never "clear it". */
    @Serdeable
    public record Findings(
            Part.@Nullable Type type,
            @Nullable PartMetadata metadata,
            @Nullable List<Part.PartMaterial> materials,
            @Nullable String thumbnailUri,
            @Nullable Map<String, String> gcodePlateUris,
            @Nullable SlicingEstimate slicingEstimate) {}
}
