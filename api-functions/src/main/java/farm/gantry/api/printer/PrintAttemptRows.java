package farm.gantry.api.printer;

import farm.gantry.RecordBuilder;
import farm.gantry.api.database.Tx;
import farm.gantry.job.SuccessRate;
import farm.gantry.printer.PrinterStats;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

/** Statements on completed print attempts. */
@Singleton
public final class PrintAttemptRows {
    /** Returns what the printers did between the times; without ids, all printers. A running print counts as busy. */
    public List<PrinterStats> findStats(Tx tx, Collection<String> printerIds, Instant from, Instant to) {
        return tx.list(
                """
                with span as (select ?::timestamptz as "from", ?::timestamptz as "to"),
                asked as (
                  select id from farm.printer
                  where "storeId" = ? and (? = '' or id = any(string_to_array(?, ',')))),
                print as (
                  select a."printerId", case when farm.has_failed(a) then 'Failed' else a.status end as status, a."startedAt",
                    a."endedAt", a.grams, a.good, a.rejected
                  from farm."printAttempt" a join asked on asked.id = a."printerId", span
                  where a."storeId" = ? and a."endedAt" >= span."from" and a."startedAt" < span."to"
                  union all
                  select j."assignedPrinterId", j.status, j."printingStartedAt", now(), null, null, null
                  from farm."printJob" j join asked on asked.id = j."assignedPrinterId", span
                  where j."storeId" = ? and j.status in ('Printing', 'Paused') and j."printingStartedAt" < span."to")
                select asked.id,
                  count(*) filter (where ended and print.status = 'Completed'),
                  count(*) filter (where ended and print.status = 'Failed'),
                  count(*) filter (where ended and print.status = 'Cancelled'),
                  coalesce(sum(greatest(0, extract(epoch from
                    least(print."endedAt", span."to") - greatest(print."startedAt", span."from"))))
                    filter (where print."printerId" is not null), 0) / 3600,
                  coalesce(sum(print.grams) filter (where ended), 0),
                  coalesce(sum(print.good) filter (where ended), 0), coalesce(sum(print.rejected) filter (where ended), 0),
                  coalesce(bool_and(print.grams is not null) filter (where ended), true)
                from asked cross join span left join print on print."printerId" = asked.id
                  cross join lateral (select print."endedAt" < span."to"
                    and print.status in ('Completed', 'Failed', 'Cancelled') as ended) outcome
                group by asked.id order by asked.id""",
                rows -> read(rows, from, to),
                from.toString(),
                to.toString(),
                tx.store().value(),
                String.join(",", printerIds),
                String.join(",", printerIds),
                tx.store().value(),
                tx.store().value());
    }

    private static PrinterStats read(ResultSet rows, Instant from, Instant to) throws SQLException {
        int completed = rows.getInt(2);
        int failed = rows.getInt(3);
        int cancelled = rows.getInt(4);
        return RecordBuilder.of(PrinterStats.class)
                .with(PrinterStats::printerId, rows.getString(1))
                .with(PrinterStats::from, from)
                .with(PrinterStats::to, to)
                .with(PrinterStats::jobs, completed + failed + cancelled)
                .with(PrinterStats::completed, completed)
                .with(PrinterStats::failed, failed)
                .with(PrinterStats::cancelled, cancelled)
                .with(PrinterStats::successRate, SuccessRate.of(completed, failed))
                .with(PrinterStats::busyHours, rows.getDouble(5))
                .with(PrinterStats::grams, rows.getDouble(6))
                .with(PrinterStats::isComplete, rows.getBoolean(9))
                .with(PrinterStats::good, rows.getLong(7))
                .with(PrinterStats::rejected, rows.getLong(8))
                .build();
    }
}
