package farm.gantry.api.builds;

import farm.gantry.builds.PartBuild;
import farm.gantry.builds.SkuBuild;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The builds that were queued. The part builds include those of the SKU builds. {@code waitsFor} is null if a printer can take the first
 * job now, if no job was queued, or if the caller lacks the permission {@code queue.view}.
 */
@Serdeable
record BuildsResponse(
        List<PartBuild> partBuilds,
        List<SkuBuild> skuBuilds,
        @Nullable WaitsFor waitsFor) {

    /**
     * What the first job waits for: the first check that fails at the printer that fails the fewest. The printer is null
     * if there is none.
     */
    @Serdeable
    record WaitsFor(
            String printJobId,
            @Nullable String printerId,
            @Nullable String printerName,
            String reasonCode,
            String reason) {}
}
