package farm.gantry.api.build;

import farm.gantry.build.PartBuild;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import java.util.Map;

/** The builds that were queued. */
@Serdeable
record BuildAnswer(List<PartBuild> partBuilds, List<Map<String, Object>> skuBuilds) {}
