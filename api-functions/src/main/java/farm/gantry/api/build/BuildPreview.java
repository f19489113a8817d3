package farm.gantry.api.build;

import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a build would queue. */
@Serdeable
record BuildPreview(List<PartPreview> partBuilds, Summary summary) {

    @Serdeable
    record PartPreview(
            String source,
            String partId,
            String partName,
            @Nullable String partThumbnailUri,
            @Nullable String label,
            int quantity,
            @Nullable String sku,
            @Nullable Map<String, Object> materials,
            @Nullable Map<String, Integer> plateQuantities,
            List<JobPreview> jobs) {}

    @Serdeable
    record JobPreview(
            @Nullable String label,
            int quantityIndex,
            int quantityTotal,
            @Nullable Integer plateId,
            @Nullable String plateName,
            @Nullable String thumbnailUri) {}

    @Serdeable
    record Summary(int partBuildCount, int skuBuildCount, int jobCount) {}
}
