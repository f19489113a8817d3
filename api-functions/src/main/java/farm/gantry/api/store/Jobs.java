package farm.gantry.api.store;

import farm.gantry.job.JobStatus;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** What is asked of many jobs at once. */
@Singleton
public final class Jobs {
    private static final String[] UNFINISHED = Stream.of(JobStatus.values())
            .filter(status -> !status.isFinished())
            .map(JobStatus::wire)
            .toArray(String[]::new);

    /** The next so many places at the end of the queue. */
    public List<Long> endOfQueue(Tx tx, int count) {
        return tx.next("queueOrder", count);
    }

    /** So many places before all others of the queue. */
    public List<Long> frontOfQueue(Tx tx, int count) {
        long first = tx.query(
                "select coalesce(min(\"queueOrder\"), 0) from farm.\"printJob\" where \"storeId\" = ?",
                rows -> {
                    rows.next();
                    return rows.getLong(1);
                },
                tx.store().value());
        return LongStream.range(first - count, first).boxed().toList();
    }

    /** Numbers of 31 bits, by which makes of printers know a job. */
    public List<Long> taskIds(Tx tx, int count) {
        return tx.next("taskId", count);
    }

    public boolean hasUnfinished(Tx tx, String partId) {
        return tx.query(
                "select exists (select from farm.\"printJob\" where \"storeId\"=? and \"partId\"=? and status = any(?))",
                rows -> {
                    rows.next();
                    return rows.getBoolean(1);
                },
                tx.store().value(),
                partId,
                UNFINISHED);
    }

    /** Takes those of the builds' jobs out of sight that are over. */
    public void hideFinished(Tx tx, List<String> partBuildIds) {
        tx.update("""
                update farm."printJob" set hidden = true, "updatedAt" = greatest(now(), "updatedAt" + interval '1 ms')
                where "storeId" = ? and "partBuildId" = any(?) and not hidden and status <> all(?)""", tx.store().value(), partBuildIds.toArray(String[]::new), UNFINISHED);
    }

    /** How many jobs of a build stand where. */
    public Map<JobStatus, Integer> statuses(Tx tx, String partBuildId) {
        return tx.query(
                "select status, count(*) from farm.\"printJob\" where \"storeId\"=? and \"partBuildId\"=? group by 1",
                rows -> {
                    Map<JobStatus, Integer> statuses = new EnumMap<>(JobStatus.class);
                    while (rows.next()) {
                        statuses.put(status(rows.getString(1)), rows.getInt(2));
                    }
                    return statuses;
                },
                tx.store().value(),
                partBuildId);
    }

    private static JobStatus status(String wire) throws SQLException {
        return Arrays.stream(JobStatus.values())
                .filter(status -> status.wire().equals(wire))
                .findFirst()
                .orElseThrow(() -> new SQLException("no such job status: " + wire));
    }
}
