package farm.gantry.api.main;

import farm.gantry.api.profile.SlicerBundles;
import farm.gantry.ingest.Limits;
import farm.gantry.ingest.Workshop;
import farm.gantry.ingest.tool.Tool;
import farm.gantry.ingest.tool.Tools;
import io.micronaut.context.annotation.ConfigurationProperties;
import java.time.Clock;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Commands of the programs that the worker runs, by the names that {@link Tools} has for them. */
@ConfigurationProperties("gantry.worker")
record WorkerSettings(@Nullable Map<String, String> tools) {

    Workshop workshop(SlicerBundles bundles) {
        Tools configured = Tools.configured(tools == null ? Map.of() : tools, Tool.Limits.USUAL);
        return Workshop.of(Limits.USUAL, configured, bundles::all, Clock.systemUTC());
    }
}
