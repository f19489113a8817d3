package farm.gantry.api.job.lifecycle;

import farm.gantry.api.database.Change;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.file.JobRows;
import farm.gantry.builds.PartBuild;
import farm.gantry.builds.SkuBuild;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

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
        Map<String, SkuBuild> locked = builds.lockAll(tx, jobs.findSkuBuilds(tx, partBuildIds));
        Map<String, Set<PartBuild.Status>> ofParts = jobs.findPartBuildStatuses(tx, locked.keySet());
        Map<String, Change<SkuBuild>> changes = new LinkedHashMap<>();
        locked.forEach((id, build) -> {
            PartBuild.Status status = PartBuild.Status.ofBuilds(ofParts.getOrDefault(id, Set.of()));
            if (status != build.status()) {
                changes.put(id, BuildStatusFields.OF_SKUS.change(status, build.startedAt() != null));
            }
        });
        builds.changeAll(tx, changes);
    }
}
