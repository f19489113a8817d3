package farm.gantry.api.file;

import farm.gantry.api.database.AdvisoryLock;
import farm.gantry.api.database.Tx;
import farm.gantry.builds.PartBuild;
import farm.gantry.job.JobStatus;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Statements on many jobs: queue order, numbers and statuses. */
@Singleton
public final class JobRows {
    static final String[] UNFINISHED = Stream.of(JobStatus.values())
            .filter(status -> !status.isFinished())
            .map(JobStatus::wireName)
            .toArray(String[]::new);

    /** Columns that a new job draws from a sequence: the 31-bit number by which printers identify it. */
    public static final Set<String> SEQUENCE_COLUMNS = Set.of("taskId");

    private static final String[] STATUSES =
            Stream.of(JobStatus.values()).map(JobStatus::wireName).toArray(String[]::new);

    /** Returns the next {@code count} positions at the end of the queue. */
    public List<Long> endOfQueue(Tx tx, int count) {
        return tx.nextNumbers("queueOrder", count);
    }

    /** Locks the queue and returns {@code count} positions before all others, in order. */
    public List<Long> frontOfQueue(Tx tx, int count) {
        if (count == 0) {
            return List.of();
        }
        lockQueue(tx);
        long first = tx.one(
                "select coalesce(min(\"queueOrder\"), 0) from farm.\"printJob\" where \"storeId\"=? and status='Pending'",
                rows -> rows.getLong(1),
                tx.store().value());
        return LongStream.range(first - count, first).boxed().toList();
    }

    /** Locks the order of the queue. To avoid deadlocks, call it before locking any job. */
    public void lockQueue(Tx tx) {
        tx.lockExclusive(AdvisoryLock.QUEUE);
    }

    /** Returns the ids of the jobs at the printers. */
    public List<String> findJobsAtPrinters(Tx tx, Collection<String> printerIds) {
        return ids(
                tx,
                "select \"printingJobId\" from farm.printer"
                        + " where \"storeId\"=? and id=any(?) and \"printingJobId\" is not null",
                printerIds);
    }

    /** Locks the jobs at the printers. Call it before locking the printers. */
    public void lockJobsAtPrinters(Tx tx, Collection<String> printerIds) {
        tx.run("""
                select from farm."printJob" where "storeId" = ? and id in (
                  select "printingJobId" from farm.printer where "storeId" = ? and id = any(?)) order by id for update""", tx.store().value(), tx.store().value(), printerIds.toArray(String[]::new));
    }

    /** Job id → queue position of all pending jobs, in order. */
    public Map<String, Long> findQueueOrder(Tx tx) {
        return tx.map(
                "select id, \"queueOrder\" from farm.\"printJob\" where \"storeId\"=? and status='Pending' order by 2, 1",
                rows -> rows.getLong(2),
                tx.store().value());
    }

    /**
     * Sets the queue positions of jobs that are still pending. The number of pending jobs changes too fast for the
     * planner's statistics.
     */
    public void setQueueOrder(Tx tx, Map<String, Long> places) {
        if (!places.isEmpty()) {
            tx.update(
                    """
                    update farm."printJob" j
                    set "queueOrder" = p.place, "updatedAt" = greatest(now(), j."updatedAt" + interval '1 ms')
                    from unnest(?::text[], ?::bigint[]) p(id, place)
                    where j."storeId" = ? and j.id = p.id and j.status = (select 'Pending')""",
                    places.keySet().toArray(String[]::new),
                    places.values().stream().map(String::valueOf).toArray(String[]::new),
                    tx.store().value());
        }
    }

    /** Hides finished jobs of the builds. */
    public void hideFinished(Tx tx, List<String> partBuildIds) {
        tx.update("""
                update farm."printJob" set hidden = true, "updatedAt" = greatest(now(), "updatedAt" + interval '1 ms')
                where "storeId" = ? and "partBuildId" = any(?) and not hidden and status <> all(?)""", tx.store().value(), partBuildIds.toArray(String[]::new), UNFINISHED);
    }

    /**
     * Locks the builds; returns build id → statuses of its jobs, without replaced failed jobs and without jobs
     * cancelled because the job they replaced completed after all.
     */
    public Map<String, Set<JobStatus>> lockAndFindStatuses(Tx tx, Collection<String> partBuildIds) {
        String[] ids = partBuildIds.toArray(String[]::new);
        tx.run(
                "select from farm.\"partBuild\" where \"storeId\"=? and id=any(?) order by id for update",
                tx.store().value(),
                ids);
        return tx.query(
                """
                select b.id, s.status from unnest(?::text[]) b(id) cross join unnest(?::text[]) s(status) cross join lateral (
                  select from farm."printJob" j where j."storeId" = ? and j."partBuildId" = b.id and j.status = s.status
                  and (j.status <> 'Failed' or not exists (
                    select from farm."printJob" r where r."storeId" = j."storeId" and r."replacesJobId" = j.id
                      and coalesce(r."replacesAttempt", j.attempt) = j.attempt))
                  and (j.status <> 'Cancelled' or not exists (
                    select from farm."printJob" o where o."storeId" = j."storeId" and o.id = j."replacesJobId"
                      and o.status = 'Completed'))
                  limit 1) one""",
                rows -> {
                    Map<String, Set<JobStatus>> statuses = new HashMap<>();
                    while (rows.next()) {
                        statuses.computeIfAbsent(rows.getString(1), _ -> EnumSet.noneOf(JobStatus.class))
                                .add(status(rows.getString(2)));
                    }
                    return statuses;
                },
                ids,
                STATUSES,
                tx.store().value());
    }

    /** The stored status of a build, and whether printing ever started. */
    public record BuildProgress(PartBuild.Status status, boolean started) {}

    public Map<String, BuildProgress> findBuildProgress(Tx tx, Collection<String> partBuildIds) {
        return tx.map(
                "select id, status, \"startedAt\" is not null from farm.\"partBuild\" where \"storeId\"=? and id=any(?)",
                rows -> new BuildProgress(buildStatus(rows.getString(2)), rows.getBoolean(3)),
                tx.store().value(),
                partBuildIds.toArray(String[]::new));
    }

    public List<String> findPartBuilds(Tx tx, Collection<String> skuBuildIds) {
        return ids(tx, "select id from farm.\"partBuild\" where \"storeId\"=? and \"skuBuildId\"=any(?)", skuBuildIds);
    }

    public List<String> findSkuBuilds(Tx tx, Collection<String> partBuildIds) {
        return ids(
                tx,
                "select distinct \"skuBuildId\" from farm.\"partBuild\""
                        + " where \"storeId\"=? and id=any(?) and \"skuBuildId\" is not null",
                partBuildIds);
    }

    private static List<String> ids(Tx tx, String sql, Collection<String> of) {
        return tx.texts(sql, tx.store().value(), of.toArray(String[]::new));
    }

    /** SKU build id → statuses of its part builds. */
    public Map<String, Set<PartBuild.Status>> findPartBuildStatuses(Tx tx, Collection<String> skuBuildIds) {
        return tx.query(
                "select distinct \"skuBuildId\", status from farm.\"partBuild\" where \"storeId\"=? and \"skuBuildId\"=any(?)",
                rows -> {
                    Map<String, Set<PartBuild.Status>> statuses = new HashMap<>();
                    while (rows.next()) {
                        statuses.computeIfAbsent(rows.getString(1), _ -> EnumSet.noneOf(PartBuild.Status.class))
                                .add(buildStatus(rows.getString(2)));
                    }
                    return statuses;
                },
                tx.store().value(),
                skuBuildIds.toArray(String[]::new));
    }

    private static PartBuild.Status buildStatus(String wire) throws SQLException {
        return Arrays.stream(PartBuild.Status.values())
                .filter(status -> status.wireName().equals(wire))
                .findFirst()
                .orElseThrow(() -> new SQLException("no such build status: " + wire));
    }

    public static JobStatus status(String wire) throws SQLException {
        return JobStatus.parse(wire).orElseThrow(() -> new SQLException("no such job status: " + wire));
    }
}
