package farm.gantry.api.build;

import farm.gantry.api.Problem;
import farm.gantry.api.store.Jobs;
import farm.gantry.api.store.Table;
import farm.gantry.api.store.Tables;
import farm.gantry.api.store.Tx;
import farm.gantry.build.PartBuild;
import farm.gantry.build.SkuBuild;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Takes builds out of sight, and those of their jobs that are over; all of them, or none where one is unknown. */
@Singleton
final class Archive {
    private final Table<PartBuild> partBuilds;
    private final Table<SkuBuild> skuBuilds;
    private final Jobs jobs;

    Archive(Tables tables, Jobs jobs) {
        this.partBuilds = tables.of(PartBuild.class);
        this.skuBuilds = tables.of(SkuBuild.class);
        this.jobs = jobs;
    }

    void partBuilds(Tx tx, List<String> ids) {
        dismiss(tx, partBuilds, ids);
        jobs.hideFinished(tx, ids);
    }

    void skuBuilds(Tx tx, List<String> ids) {
        dismiss(tx, skuBuilds, ids);
        partBuilds(tx, jobs.partBuildsOf(tx, ids));
    }

    private static void dismiss(Tx tx, Table<?> builds, List<String> ids) {
        Problem.Missing.refuse(new TreeSet<>(ids)
                .stream()
                        .filter(id -> !builds.change(tx, id, Map.of(), Map.of("dismissed", true)))
                        .toList());
    }
}
