package farm.gantry.api.builds;

import farm.gantry.builds.PartBuild;
import farm.gantry.builds.SkuBuild;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;

/** The builds that were queued. The part builds include those of the SKU builds. */
@Serdeable
record BuildsResponse(List<PartBuild> partBuilds, List<SkuBuild> skuBuilds) {}
