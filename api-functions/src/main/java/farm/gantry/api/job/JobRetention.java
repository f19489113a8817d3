package farm.gantry.api.job;

import farm.gantry.StoreId;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Tx;
import farm.gantry.api.queue.Signal;
import farm.gantry.api.queue.WorkLease;
import farm.gantry.api.queue.WorkLoop;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Deletes builds whose jobs have all ended and did not change within {@code gantry.jobs.retention}, with their jobs, attempts and
 * filament use, in short transactions. What belongs to an open order stays. Orders stay too, so that one that is delivered again
 * is not printed again.
 */
@Singleton
public final class JobRetention {
    private static final Duration INTERVAL = Duration.ofHours(1);
    private static final int MAX_BUILDS = 100;
    private static final int MAX_JOBS = 1_000;

    private final Database database;
    private final ExpiredJobRows rows;
    private final WorkLease lease;
    private final Optional<Duration> retention;
    private final Optional<JobArchive> archive;

    JobRetention(Database database, ExpiredJobRows rows, WorkLease lease, JobRetentionSettings settings) {
        this.database = database;
        this.rows = rows;
        this.lease = lease;
        this.retention = Optional.ofNullable(settings.retention());
        this.archive = settings.archive();
    }

    /** Starts deleting, if jobs have a retention. */
    public Optional<WorkLoop> start() {
        return retention.map(_ -> WorkLoop.start("job-retention", new Signal(), INTERVAL, lease, this::deleteExpired));
    }

    /** Deletes what is older than the retention, if there is one. */
    public void deleteExpired() {
        retention.ifPresent(time -> {
            Instant before = Instant.now().minus(time);
            database.findStores("all_stores").forEach(store -> delete(store, before));
        });
    }

    /** Deletes what ended before the time. */
    void delete(StoreId store, Instant before) {
        ExpiredJobRows.Build last = ExpiredJobRows.Build.BEFORE_ALL;
        while (true) {
            ExpiredJobRows.Build after = last;
            List<ExpiredJobRows.Build> builds =
                    database.in(store, tx -> rows.findExpired(tx, after, before, MAX_BUILDS));
            if (builds.isEmpty()) {
                return;
            }
            List<String> ids = builds.stream().map(ExpiredJobRows.Build::id).toList();
            int deleted = MAX_JOBS;
            while (deleted == MAX_JOBS) {
                deleted = database.in(store, tx -> delete(tx, ids, before));
            }
            last = builds.getLast();
        }
    }

    /** Deletes some of the builds' jobs, and builds without jobs; returns the number of jobs. */
    private int delete(Tx tx, List<String> builds, Instant before) {
        rows.lock(tx, builds, MAX_JOBS);
        List<String> expired = rows.findStillExpired(tx, builds, before);
        List<String> jobs = rows.findJobs(tx, expired, MAX_JOBS);
        archive.ifPresent(
                to -> rows.findJobLines(tx, jobs).forEach((month, lines) -> to.append(tx.store(), month, lines)));
        rows.deleteJobs(tx, jobs);
        List<String> empty = rows.findEmpty(tx, expired);
        archive.ifPresent(
                to -> rows.findBuildLines(tx, empty).forEach((month, lines) -> to.append(tx.store(), month, lines)));
        rows.deleteBuilds(tx, empty);
        return jobs.size();
    }
}
