package farm.gantry.api.build;

import farm.gantry.build.PartBuild;
import farm.gantry.build.SkuBuild;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;

/** The builds that were queued; those of SKUs' parts among the part builds. */
@Serdeable
record BuildAnswer(List<PartBuild> partBuilds, List<SkuBuild> skuBuilds) {}
