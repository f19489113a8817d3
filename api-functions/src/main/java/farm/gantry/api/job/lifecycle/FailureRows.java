package farm.gantry.api.job.lifecycle;

import farm.gantry.api.database.ResultReader;
import farm.gantry.api.database.Tx;
import jakarta.inject.Singleton;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/**
 * Statements on failed prints of the last 30 days. Failures before the last release of a printer, part or queue do not
 * count. A start that a printer never executed counts as a failed print.
 */
@Singleton
public final class FailureRows {
    private static final String PRINTS = """
            with print as (
              select a."printerId", a."printJobId", a."endedAt", farm.has_failed(a) as failed
              from farm."printAttempt" a
              where a."storeId" = ? and a.status in ('Completed', 'Failed') and a."endedAt" > now() - interval '30 days'
              union all
              select j."assignedPrinterId", j.id, j."finishedAt", true
              from farm."printJob" j
              where j."storeId" = ? and j.status = 'Failed' and j."finishedAt" > now() - interval '30 days'
                and j."printingStartedAt" is null and j."assignmentCompletedAt" is not null)
            """;

    /** Number of failed prints out of {@code prints}. */
    public record FailureCount(int failed, int prints) {}

    /** Counts the last prints of a printer, at most {@code last}. */
    public FailureCount countOfPrinter(Tx tx, String printerId, int last) {
        return count(tx, """
                select count(*) filter (where failed), count(*) from (
                  select print.failed from print join farm.printer p on p."storeId" = ? and p.id = print."printerId"
                  where p.id = ? and print."endedAt" > coalesce(p."quarantineReleasedAt", '-infinity')
                  order by print."endedAt" desc limit ?) last""", printerId, last);
    }

    /** Counts the store's prints of the last hour. */
    public FailureCount countOfLastHour(Tx tx) {
        return count(tx, """
                select count(*) filter (where failed), count(*) from print join farm.store s on s."storeId" = ?
                where print."endedAt" > greatest(now() - interval '1 hour', s."queueResumedAt")""");
    }

    private static FailureCount count(Tx tx, String sql, Object... values) {
        return queryPrints(tx, sql, rows -> new FailureCount(rows.getInt(1), rows.getInt(2)), values);
    }

    /** Returns the number of printers on which the part failed since it was last completed. */
    public int countFailedPrinters(Tx tx, String partId) {
        return queryPrints(tx, """
                , own as (
                  select print.* from print
                  join farm."printJob" j on j."storeId" = ? and j.id = print."printJobId"
                  join farm.part p on p."storeId" = j."storeId" and p.id = j."partId"
                  where p.id = ? and print."endedAt" > coalesce(p."holdReleasedAt", '-infinity'))
                select count(distinct "printerId") from own
                where failed and "endedAt" > coalesce((select max("endedAt") from own where not failed), '-infinity')""", rows -> rows.getInt(1), partId);
    }

    private static <T> T queryPrints(Tx tx, String sql, ResultReader<T> reading, Object... values) {
        Object[] all = new Object[3 + values.length];
        Arrays.fill(all, 0, 3, tx.store().value());
        System.arraycopy(values, 0, all, 3, values.length);
        return tx.one(PRINTS + sql, reading, all);
    }

    /** Returns the parts that are on hold. */
    public Set<String> findHeldParts(Tx tx) {
        return Set.copyOf(tx.texts(
                "select id from farm.part where \"storeId\" = ? and \"heldAt\" is not null",
                tx.store().value()));
    }

    /** Returns the job that replaces the attempt. */
    public Optional<String> findReplacement(Tx tx, String jobId, int attempt) {
        return tx.first(
                "select id from farm.\"printJob\" where \"storeId\" = ? and \"replacesJobId\" = ? and \"replacesAttempt\" = ?",
                rows -> rows.getString(1),
                tx.store().value(),
                jobId,
                attempt);
    }
}
