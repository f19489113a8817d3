package farm.gantry.api.builds;

import farm.gantry.api.json.RawJson;
import farm.gantry.builds.PartBuild;
import farm.gantry.builds.SkuBuild;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Stored builds; {@code firstJobId} is null if they queued no job. */
record CreatedBuilds(
        RawJson<List<PartBuild>> partBuilds,
        RawJson<List<SkuBuild>> skuBuilds,
        @Nullable String firstJobId) {}
