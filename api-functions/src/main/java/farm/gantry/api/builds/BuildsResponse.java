package farm.gantry.api.builds;

import farm.gantry.builds.PartBuild;
import farm.gantry.builds.SkuBuild;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;

/** The builds that were queued; those of SKUs' parts among the part builds. */
@Serdeable
record BuildsResponse(List<PartBuild> partBuilds, List<SkuBuild> skuBuilds) {}
