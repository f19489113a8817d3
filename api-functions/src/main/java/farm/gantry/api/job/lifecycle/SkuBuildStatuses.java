package farm.gantry.api.job.lifecycle;

import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.file.JobRows;
import farm.gantry.api.resource.Resources;
import farm.gantry.builds.PartBuild;
import farm.gantry.builds.SkuBuild;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
        Map<String, SkuBuild> locked = builds.lockAll(tx, jobs.skuBuildsOf(tx, partBuildIds));
        Map<String, Set<PartBuild.Status>> ofParts = jobs.partBuildStatuses(tx, locked.keySet());
        List<Map<String, @Nullable Object>> changes = new ArrayList<>();
        locked.forEach((id, build) -> {
            PartBuild.Status status = PartBuild.Status.ofBuilds(ofParts.getOrDefault(id, Set.of()));
            if (status != build.status()) {
                changes.add(change(id, status, build.startedAt() != null));
            }
        });
        builds.changeAll(tx, Map.of(), changes);
    }

    /**
     * Returns the columns to set for the status of a build of either kind; {@code started}: printing had already begun.
     */
    static Map<String, @Nullable Object> change(String id, PartBuild.Status status, boolean started) {
        Map<String, @Nullable Object> change = new HashMap<>();
        Instant now = Resources.now();
        change.put("id", id);
        change.put("status", status);
        if (!started && status == PartBuild.Status.printing) {
            change.put("startedAt", now);
        }
        change.put("completedAt", status == PartBuild.Status.success || status == PartBuild.Status.error ? now : null);
        change.put("cancelledAt", status == PartBuild.Status.cancelled ? now : null);
        return change;
    }
}
