package farm.gantry.api.promise;

import farm.gantry.api.database.Database;
import farm.gantry.api.database.Tx;
import farm.gantry.api.json.JsonCodec;
import farm.gantry.job.JobStatus;
import farm.gantry.promise.Promise;
import farm.gantry.promise.WaitReason;
import io.micronaut.core.type.Argument;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the data for estimates, except the queue, and stores the estimates. */
@Singleton
public final class PromiseRows {
    private static final Argument<List<WaitReason>> WAITS = Argument.listOf(WaitReason.class);
    private static final String IS_ESTIMATED = " (\"promisedAt\" is not null or json_array_length(waits) > 0)";

    private final JsonCodec json;

    PromiseRows(JsonCodec json) {
        this.json = json;
    }

    /**
     * A job and its printer; {@code seconds} is the estimated time, 0 if unknown, {@code elapsed} the time since the start without
     * pauses.
     */
    public record AssignedJob(
            String jobId,
            String printerId,
            JobStatus status,
            double seconds,
            double elapsed,
            @Nullable String profile) {}

    /** Returns those of the jobs that have a printer. */
    public List<AssignedJob> findAssignedJobs(Tx tx, Collection<String> jobIds) {
        return tx.list(
                """
                select id, "assignedPrinterId", status, coalesce("estimatedSeconds", 0),
                  coalesce(extract(epoch from coalesce("pausedAt", now()) - "printingStartedAt"), 0) - coalesce("pausedSeconds", 0),
                  "overriddenProcessProfileId"
                from farm."printJob" where "storeId" = ? and id = any(?) and "assignedPrinterId" is not null""",
                rows -> new AssignedJob(
                        rows.getString(1),
                        rows.getString(2),
                        JobStatus.parse(rows.getString(3)).orElseThrow(),
                        rows.getDouble(4),
                        rows.getDouble(5),
                        rows.getString(6)),
                tx.store().value(),
                jobIds.toArray(String[]::new));
    }

    /** Returns a digest that changes when anything that estimates depend on changes, except the time. */
    public String version(Tx tx) {
        return tx.query(
                """
                select (select count(*) || ' ' || coalesce(max(j."updatedAt")::text, '') from farm."printJob" j
                        where j."storeId" = s."storeId" and j.status not in ('Completed', 'Failed', 'Cancelled'))
                  || ' ' || (select coalesce(max(p."updatedAt")::text, '') from farm.printer p where p."storeId" = s."storeId")
                  || ' ' || s."updatedAt" || ' ' || (select coalesce(string_agg(p.id, ' ' order by p.id), '') from farm.part p
                        where p."storeId" = s."storeId" and p."heldAt" is not null)
                  || ' ' || (select count(*) from farm."order" o where o."storeId" = s."storeId" and o.status = 'open')
                from farm.store s where s."storeId" = ?""", rows -> rows.next() ? rows.getString(1) : "", tx.store().value());
    }

    /** A stored estimate of a job, with the code of its first reason for waiting. */
    public record StoredPromise(
            @Nullable Instant promisedAt,
            @Nullable Instant promisedBy,
            @Nullable String firstWait) {}

    /** Returns the estimates by job id, without those that {@link #clear} removed. */
    public Map<String, StoredPromise> findByJob(Tx tx) {
        return tx.map(
                "select \"printJobId\", \"promisedAt\", \"promisedBy\","
                        + " waits->0->>'code' from farm.\"jobPromise\" where \"storeId\" = ? and" + IS_ESTIMATED,
                rows -> new StoredPromise(Database.instant(rows, 2), Database.instant(rows, 3), rows.getString(4)),
                tx.store().value());
    }

    /** Returns the estimate of a job and its reasons; empty if there is none, or if it was cleared. */
    public Optional<JobPromise> ofJob(Tx tx, String jobId) {
        return tx.first(
                "select \"promisedAt\", \"promisedBy\", waits::text, \"plannedAt\""
                        + " from farm.\"jobPromise\" where \"storeId\" = ? and \"printJobId\" = ?"
                        + " and" + IS_ESTIMATED,
                rows -> new JobPromise(
                        Database.instant(rows, 1),
                        Database.instant(rows, 2),
                        json.read(rows.getString(3), WAITS),
                        rows.getObject(4, OffsetDateTime.class).toInstant()),
                tx.store().value(),
                jobId);
    }

    /** The estimate of a job with its reasons; {@code plannedAt} is when it was made. */
    public record JobPromise(
            @Nullable Instant promisedAt, @Nullable Instant promisedBy, List<WaitReason> waits, Instant plannedAt) {}

    /** Removes the estimates and reasons of those jobs that wait in the queue, and keeps their first estimates. */
    public void clear(Tx tx, Collection<String> jobIds) {
        tx.update("""
                update farm."jobPromise" p set "promisedAt" = null, "promisedBy" = null, waits = '[]' from farm."printJob" j
                where p."storeId" = ? and p."printJobId" = any(?) and j."storeId" = p."storeId" and j.id = p."printJobId"
                  and j.status = 'Pending'""", tx.store().value(), jobIds.toArray(String[]::new));
    }

    /** Stores the estimates of jobs that still exist. */
    public void save(Tx tx, Map<String, JobPromise> promises) {
        List<Map<String, @Nullable Object>> rows = new ArrayList<>();
        promises.forEach((id, promise) -> {
            Map<String, @Nullable Object> row = new HashMap<>();
            row.put("printJobId", id);
            row.put("promisedAt", promise.promisedAt());
            row.put("promisedBy", promise.promisedBy());
            row.put("waits", promise.waits());
            row.put("plannedAt", promise.plannedAt());
            rows.add(row);
        });
        if (!rows.isEmpty()) {
            tx.update("""
                    insert into farm."jobPromise" ("storeId", "printJobId", "promisedAt", "promisedBy", waits, "plannedAt",
                      "firstPromisedAt", "firstPromisedBy")
                    select ?, r."printJobId", r."promisedAt", r."promisedBy", r.waits, r."plannedAt", r."promisedAt", r."promisedBy"
                    from json_populate_recordset(null::farm."jobPromise", ?::json) r
                    where exists (select from farm."printJob" j where j."storeId" = ? and j.id = r."printJobId")
                    order by r."printJobId"
                    on conflict ("storeId", "printJobId") do update set "promisedAt" = excluded."promisedAt",
                      "promisedBy" = excluded."promisedBy", waits = excluded.waits, "plannedAt" = excluded."plannedAt",
                      "firstPromisedAt" = coalesce("jobPromise"."firstPromisedAt", excluded."promisedAt"),
                      "firstPromisedBy" = coalesce("jobPromise"."firstPromisedBy", excluded."promisedBy")""", tx.store().value(), json.write(rows), tx.store().value());
        }
    }

    /** The remaining time of a job that its printer reports, and the one extrapolated from its progress. */
    record RemainingTimeReport(String printJobId, double reportedSeconds, double extrapolatedSeconds) {}

    /** Stores the remaining times reported about half-way; only the first report of each attempt counts. */
    void saveReports(Tx tx, List<RemainingTimeReport> reports, Instant now) {
        List<Map<String, Object>> rows = reports.stream()
                .map(report -> Map.<String, Object>of(
                        "printJobId", report.printJobId(),
                        "reportedSeconds", report.reportedSeconds(),
                        "extrapolatedSeconds", report.extrapolatedSeconds()))
                .toList();
        if (!rows.isEmpty()) {
            tx.update("""
                    update farm."jobPromise" p set "reportedAt" = ?::timestamptz, "reportedSeconds" = r."reportedSeconds",
                      "extrapolatedSeconds" = r."extrapolatedSeconds"
                    from json_populate_recordset(null::farm."jobPromise", ?::json) r
                    join farm."printJob" j on j."storeId" = ? and j.id = r."printJobId"
                    where p."storeId" = j."storeId" and p."printJobId" = j.id
                      and (p."reportedAt" is null or p."reportedAt" < j."printingStartedAt")""", now.toString(), json.write(rows), tx.store().value());
        }
    }

    /** Returns the accuracy of first estimates by provider, for jobs that were completed between the times. */
    List<PromiseAccuracy> accuracy(Tx tx, Instant from, Instant to) {
        return tx.list(
                """
                select p.provider, count(*), avg((a."endedAt" <= a."promisedAt")::integer)::float8,
                  avg((a."endedAt" <= a."promisedBy")::integer)::float8
                from farm."printAttempt" a
                left join farm.printer p on p."storeId" = a."storeId" and p.id = a."printerId"
                where a."storeId" = ? and a.status = 'Completed' and a."endedAt" >= ?::timestamptz
                  and a."endedAt" < ?::timestamptz and a."promisedAt" is not null and a."promisedBy" is not null
                group by 1 order by 1 nulls last""",
                rows -> new PromiseAccuracy(rows.getString(1), rows.getInt(2), rows.getDouble(3), rows.getDouble(4)),
                tx.store().value(),
                from.toString(),
                to.toString());
    }

    /** Deletes the estimates of finished jobs and orders. */
    public void deleteFinished(Tx tx) {
        tx.update("""
                delete from farm."jobPromise" p using farm."printJob" j
                where p."storeId" = ? and j."storeId" = p."storeId" and j.id = p."printJobId"
                  and j.status in ('Completed', 'Failed', 'Cancelled')""", tx.store().value());
        tx.update("""
                delete from farm."orderPromise" p using farm."order" o
                where p."storeId" = ? and o."storeId" = p."storeId" and o.id = p."orderId" and o.status <> 'open'""", tx.store().value());
    }

    /**
     * An open order, its unfinished jobs and its stored estimate. {@code isLacking} is true if pieces of it are not queued; {@code late} is
     * whether it was late at the last plan.
     */
    public record OpenOrder(
            String id, @Nullable Instant deadline, List<String> jobIds, boolean isLacking, boolean late) {}

    /** Returns the open orders that have unfinished jobs or a stored estimate, or that have a deadline and are not completely queued. */
    public List<OpenOrder> openOrders(Tx tx) {
        return tx.list(
                """
                select o.id, o.deadline, coalesce(unfinished.ids, ''),
                  unqueued.some or coalesce((g.progress->>'wanted')::bigint > (g.progress->>'queued')::bigint
                    + (g.progress->>'printing')::bigint + (g.progress->>'done')::bigint, false),
                  coalesce(p.late, false)
                from farm."order" o
                cross join lateral (
                  select string_agg(j.id, ',') as ids from farm."printJob" j
                  where j."storeId" = o."storeId" and j."orderId" = o.id
                    and j.status not in ('Completed', 'Failed', 'Cancelled')) unfinished
                cross join lateral (
                  select exists (select from farm."orderItem" i where i."storeId" = o."storeId" and i."orderId" = o.id
                    and not i.ignored and i.pieces is null) as some) unqueued
                cross join lateral (select o.progress offset 0) g -- not inlined: counted once
                left join farm."orderPromise" p on p."storeId" = o."storeId" and p."orderId" = o.id
                where o."storeId" = ? and o.status = 'open' and (unfinished.ids is not null or p."orderId" is not null
                  or o.deadline is not null and unqueued.some)
                order by o.id""",
                rows -> new OpenOrder(
                        rows.getString(1),
                        Database.instant(rows, 2),
                        rows.getString(3).isEmpty()
                                ? List.of()
                                : List.of(rows.getString(3).split(",")),
                        rows.getBoolean(4),
                        rows.getBoolean(5)),
                tx.store().value());
    }

    /** Deletes the estimate of an order. */
    public void deleteOrder(Tx tx, String orderId) {
        tx.update(
                "delete from farm.\"orderPromise\" where \"storeId\" = ? and \"orderId\" = ?",
                tx.store().value(),
                orderId);
    }

    /** The estimate of an order, and the id of its job that finishes last. */
    public record OrderPromise(
            @Nullable Instant promisedAt,
            @Nullable Instant promisedBy,
            boolean late,
            long lateSeconds,
            @Nullable String lastJobId,
            Instant plannedAt) {}

    public Optional<OrderPromise> ofOrder(Tx tx, String orderId) {
        return tx.first(
                "select \"promisedAt\", \"promisedBy\", late, \"lateSeconds\", \"lastJobId\", \"plannedAt\""
                        + " from farm.\"orderPromise\" where \"storeId\" = ? and \"orderId\" = ?",
                rows -> new OrderPromise(
                        Database.instant(rows, 1),
                        Database.instant(rows, 2),
                        rows.getBoolean(3),
                        rows.getLong(4),
                        rows.getString(5),
                        rows.getObject(6, OffsetDateTime.class).toInstant()),
                tx.store().value(),
                orderId);
    }

    /** Stores the estimate of an order; {@link #setLate} sets whether it is late. */
    public void saveOrder(Tx tx, String orderId, Promise promise, @Nullable String lastJobId, Instant plannedAt) {
        tx.update(
                """
                insert into farm."orderPromise" ("storeId", "orderId", "promisedAt", "promisedBy", "lastJobId", "plannedAt")
                select ?, o.id, ?::timestamptz, ?::timestamptz, ?, ?::timestamptz
                from farm."order" o where o."storeId" = ? and o.id = ?
                on conflict ("storeId", "orderId") do update set "promisedAt" = excluded."promisedAt",
                  "promisedBy" = excluded."promisedBy", "lastJobId" = excluded."lastJobId", "plannedAt" = excluded."plannedAt\"""",
                tx.store().value(),
                text(promise.promisedAt()),
                text(promise.promisedBy()),
                lastJobId,
                plannedAt.toString(),
                tx.store().value(),
                orderId);
    }

    private static @Nullable String text(@Nullable Instant time) {
        return time == null ? null : time.toString();
    }

    /**
     * Stores whether the order is late, and by how many seconds.
     *
     * @return whether it became late, or on time again
     */
    public boolean setLate(Tx tx, String orderId, boolean late, long seconds) {
        boolean isChanged = tx.update(
                        "update farm.\"orderPromise\" set late = ? where \"storeId\" = ? and \"orderId\" = ? and late <> ?",
                        late,
                        tx.store().value(),
                        orderId,
                        late)
                == 1;
        tx.update(
                "update farm.\"orderPromise\" set \"lateSeconds\" = ?"
                        + " where \"storeId\" = ? and \"orderId\" = ? and \"lateSeconds\" <> ?",
                seconds,
                tx.store().value(),
                orderId,
                seconds);
        return isChanged;
    }
}
