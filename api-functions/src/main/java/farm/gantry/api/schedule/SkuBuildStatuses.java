package farm.gantry.api.schedule;

import farm.gantry.api.resource.Resources;
import farm.gantry.api.store.JobRows;
import farm.gantry.api.store.Table;
import farm.gantry.api.store.Tables;
import farm.gantry.api.store.Tx;
import farm.gantry.builds.PartBuild;
import farm.gantry.builds.SkuBuild;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Updates the statuses of SKU builds from those of their part builds. */
@Singleton
final class SkuBuildStatuses {
    private final Table<SkuBuild> builds;
    private final JobRows jobs;

    SkuBuildStatuses(Tables tables, JobRows jobs) {
        this.builds = tables.of(SkuBuild.class);
        this.jobs = jobs;
    }

    /** Updates the SKU builds of part builds whose status changed. */
    void update(Tx tx, Collection<String> partBuildIds) {
        builds.lockAll(tx, jobs.skuBuildsOf(tx, partBuildIds)).values().forEach(build -> {
            PartBuild.Status status = PartBuild.Status.ofBuilds(jobs.partBuildStatuses(tx, build.id()));
            if (status != build.status()) {
                builds.change(tx, build.id(), Map.of(), changes(status, build.startedAt()));
            }
        });
    }

    private static Map<String, @Nullable Object> changes(PartBuild.Status status, @Nullable Instant startedAt) {
        Map<String, @Nullable Object> changes = new HashMap<>();
        Instant now = Resources.now();
        changes.put("status", status);
        if (startedAt == null && status == PartBuild.Status.printing) {
            changes.put("startedAt", now);
        }
        changes.put("completedAt", status == PartBuild.Status.success || status == PartBuild.Status.error ? now : null);
        changes.put("cancelledAt", status == PartBuild.Status.cancelled ? now : null);
        return changes;
    }
}
