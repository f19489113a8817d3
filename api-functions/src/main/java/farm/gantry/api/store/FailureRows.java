package farm.gantry.api.store;

import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.Set;

/** Statements on prints that failed; those before a printer, a part or the queue was last released are forgiven. */
@Singleton
public final class FailureRows {

    /** How many of so many prints failed. */
    public record Count(int failed, int prints) {}

    /** Of the last prints of a printer, at most {@code last}. */
    public Count ofPrinter(Tx tx, String printerId, int last) {
        return count(tx, """
                select count(*) filter (where farm.has_failed(a)), count(*) from (
                  select a.* from farm."printAttempt" a
                  join farm.printer p on p."storeId" = a."storeId" and p.id = a."printerId"
                  where a."storeId" = ? and a."printerId" = ? and a.status in ('Completed', 'Failed')
                    and a."endedAt" > coalesce(p."quarantineReleasedAt", '-infinity')
                  order by a."endedAt" desc limit ?) a""", tx.store().value(), printerId, last);
    }

    /** Of the store's last hour. */
    public Count ofLastHour(Tx tx) {
        return count(tx, """
                select count(*) filter (where farm.has_failed(a)), count(*) from farm."printAttempt" a
                join farm.store s on s."storeId" = a."storeId"
                where a."storeId" = ? and a.status in ('Completed', 'Failed')
                  and a."endedAt" > greatest(now() - interval '1 hour', s."queueResumedAt")""", tx.store().value());
    }

    private static Count count(Tx tx, String sql, Object... values) {
        return tx.query(
                sql,
                rows -> {
                    rows.next();
                    return new Count(rows.getInt(1), rows.getInt(2));
                },
                values);
    }

    /** The number of printers on which the part failed since a print of it was last completed. */
    public int printersOfPart(Tx tx, String partId) {
        return tx.query(
                """
                with print as (
                  select a."printerId", a."endedAt", farm.has_failed(a) as failed
                  from farm."printJob" j
                  join farm."printAttempt" a on a."storeId" = j."storeId" and a."printJobId" = j.id
                  join farm.part p on p."storeId" = j."storeId" and p.id = j."partId"
                  where j."storeId" = ? and j."partId" = ? and a.status in ('Completed', 'Failed')
                    and a."endedAt" > coalesce(p."holdReleasedAt", '-infinity'))
                select count(distinct "printerId") from print
                where failed and "endedAt" > coalesce((select max("endedAt") from print where not failed), '-infinity')""",
                rows -> {
                    rows.next();
                    return rows.getInt(1);
                },
                tx.store().value(),
                partId);
    }

    /** The parts that nobody prints for now. */
    public Set<String> heldParts(Tx tx) {
        return Set.copyOf(tx.texts(
                "select id from farm.part where \"storeId\" = ? and \"heldAt\" is not null",
                tx.store().value()));
    }

    /** The job that takes the place of the attempt. */
    public Optional<String> replacement(Tx tx, String jobId, int attempt) {
        return tx
                .texts(
                        "select id from farm.\"printJob\" where \"storeId\" = ? and \"replacesJobId\" = ? and \"replacesAttempt\" = ?",
                        tx.store().value(),
                        jobId,
                        attempt)
                .stream()
                .findFirst();
    }
}
