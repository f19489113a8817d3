package farm.gantry.api.builds;

import farm.gantry.Field;
import farm.gantry.api.database.Change;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.file.JobRows;
import farm.gantry.api.json.RawJson;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.security.Caller;
import farm.gantry.builds.PartBuild;
import farm.gantry.builds.SkuBuild;
import io.micronaut.json.tree.JsonNode;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/** Takes builds out of sight, and those of their jobs that are over; all of them, or none where one is unknown. */
@Singleton
final class BuildArchiver {
    private final Table<PartBuild> archivePartBuilds;
    private final Table<SkuBuild> archiveSkuBuilds;
    private final JobRows jobs;
    private final Database database;
    private final RecordReader reader;

    BuildArchiver(Tables tables, JobRows jobs, Database database, RecordReader reader) {
        this.archivePartBuilds = tables.of(PartBuild.class);
        this.archiveSkuBuilds = tables.of(SkuBuild.class);
        this.jobs = jobs;
        this.database = database;
        this.reader = reader;
    }

    RawJson<List<PartBuild>> archivePartBuilds(Caller caller, JsonNode body) {
        return archiveAll(caller, body, archivePartBuilds, this::archivePartBuilds);
    }

    RawJson<List<SkuBuild>> archiveSkuBuilds(Caller caller, JsonNode body) {
        return archiveAll(caller, body, archiveSkuBuilds, this::archiveSkuBuilds);
    }

    private <R> RawJson<List<R>> archiveAll(
            Caller caller, JsonNode body, Table<R> builds, BiConsumer<Tx, List<String>> archive) {
        List<String> ids = reader.read(ArchiveRequest.class, body).ids();
        return database.in(caller, tx -> {
            archive.accept(tx, ids);
            return builds.get(tx, ids, builds.secretVisibility(caller));
        });
    }

    private void archivePartBuilds(Tx tx, List<String> ids) {
        jobs.hideFinished(tx, ids);
        dismiss(tx, archivePartBuilds, PartBuild::dismissed, ids);
    }

    private void archiveSkuBuilds(Tx tx, List<String> ids) {
        archivePartBuilds(tx, jobs.findPartBuilds(tx, ids));
        dismiss(tx, archiveSkuBuilds, SkuBuild::dismissed, ids);
    }

    private static <R> void dismiss(Tx tx, Table<R> builds, Field<R> field, List<String> ids) {
        Set<String> dismissed = builds.changeAll(tx, ids, new Change<R>().set(field, true));
        ProblemException.throwIfMissing(new TreeSet<>(ids)
                .stream().filter(id -> !dismissed.contains(id)).toList());
    }
}
