package farm.gantry.api.file;

import farm.gantry.api.database.Tx;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.Collection;
import java.util.Set;

/**
 * Which kept files are still needed, and by what: by parts, and by the jobs of parts until they are over. A job that
 * failed or was cancelled may be done again while its part is there and it was not cleared.
 */
@Singleton
public final class FileReferenceRows {
    private static final String WORK = "files";
    /** The lock that a backup holds while files must stay. */
    public static final String BACKUP = "backup";

    /** Takes the shared lock for adding references: no files are cleaned up until the transaction ends. */
    public void lockShared(Tx tx) {
        tx.lockShared(WORK);
    }

    /** The same, unless files are cleaned up just now: whether it has the lock. */
    public boolean tryLockShared(Tx tx) {
        return tx.tryLockShared(WORK);
    }

    /** Takes the exclusive lock for cleaning up: waits for, and blocks, transactions that add references. */
    public void lockExclusive(Tx tx) {
        tx.lockExclusive(WORK);
    }

    /** Whether files may be deleted now; no backup begins until the transaction ends. */
    public boolean mayDelete(Tx tx) {
        return tx.texts("select 'yes' where pg_try_advisory_xact_lock_shared(hashtextextended(?, 0))", BACKUP)
                        .size()
                == 1;
    }

    /** Those of the ids that are parts, or were and have jobs that are not over. */
    public Set<String> owners(Tx tx, Collection<String> ids) {
        return texts(
                tx,
                """
                select id from farm.part where "storeId" = ? and id = any(?)
                union select "partId" from farm."printJob" where "storeId" = ? and "partId" = any(?) and status = any(?)""",
                tx.store().value(),
                ids.toArray(String[]::new),
                tx.store().value(),
                ids.toArray(String[]::new),
                JobRows.UNFINISHED);
    }

    /** What may be named of the file of a part: the id of its upload or ingest run, or its name. */
    public record Named(String partId, String name) {}

    /** Those that stand in the part's row or in a build whose jobs need its files. */
    public Set<Named> named(Tx tx, Collection<Named> some) {
        return Set.copyOf(tx.list(
                """
                select e.part, e.word from unnest(?::text[], ?::text[]) e(part, word) where exists (
                  select from farm.part p where p."storeId" = ? and p.id = e.part and position(e.word in p::text) > 0
                ) or exists (
                  select from farm."partBuild" b where b."storeId" = ? and b."partId" = e.part and position(e.word in b::text) > 0
                  and exists (select from farm."printJob" j where j."storeId" = b."storeId" and j."partBuildId" = b.id
                              and (j.status = any(?) or j.status <> 'Completed' and not j.hidden)))""",
                rows -> new Named(rows.getString(1), rows.getString(2)),
                some.stream().map(Named::partId).toArray(String[]::new),
                some.stream().map(Named::name).toArray(String[]::new),
                tx.store().value(),
                tx.store().value(),
                JobRows.UNFINISHED));
    }

    /** Those of the parts that a worker reads, or slices for a job. */
    public Set<String> inWork(Tx tx, Collection<String> partIds) {
        return texts(
                tx,
                """
                select id from farm.part where "storeId" = ? and id = any(?) and "processingStatus" = 'processing'
                union
                select "partId" from farm."printJob" where "storeId" = ? and "partId" = any(?) and status = 'Slicing'""",
                tx.store().value(),
                partIds.toArray(String[]::new),
                tx.store().value(),
                partIds.toArray(String[]::new));
    }

    /**
     * The names below {@code made/} of the G-code of the parts' jobs, unless they were over by that time and cannot be done
     * again.
     */
    public Set<Named> slicesSince(Tx tx, Collection<String> partIds, Instant time) {
        return Set.copyOf(tx.list(
                """
                select distinct "partId", split_part(split_part("slicedGcodeUri", '/made/', 2), '/', 1) from farm."printJob"
                where "storeId" = ? and "partId" = any(?) and "slicedGcodeUri" like '%/made/%'
                and (status = any(?) or status <> 'Completed' and not hidden or "updatedAt" >= ?::timestamptz)""",
                rows -> new Named(rows.getString(1), rows.getString(2)),
                tx.store().value(),
                partIds.toArray(String[]::new),
                JobRows.UNFINISHED,
                time.toString()));
    }

    /**
     * Those of the ids that are no part's and yet needed: orders and parts of SKUs have folders for the files that their
     * values name; and before files lay with their part, runs, builds and jobs had folders of their own.
     */
    public Set<String> namedAnywhere(Tx tx, Collection<String> ids) {
        return texts(
                tx,
                """
                select each from unnest(?::text[]) each where exists (
                  select from farm.part p where p."storeId" = ? and position(each in p::text) > 0
                ) or exists (
                  select from farm."partBuild" b where b."storeId" = ? and position(each in b::text) > 0
                  and (exists (select from farm.part p where p."storeId" = b."storeId" and p.id = b."partId")
                       or exists (select from farm."printJob" j where j."storeId" = b."storeId"
                                  and j."partBuildId" = b.id and j.status = any(?)))
                ) or exists (
                  select from farm."printJob" j join farm.part p on p."storeId" = j."storeId" and p.id = j."partId"
                  where j."storeId" = ? and j.id = each)
                or exists (select from farm."order" o where o."storeId" = ? and o.id = each)
                or exists (select from farm."linkedPart" l where l."storeId" = ? and l.id = each)""",
                ids.toArray(String[]::new),
                tx.store().value(),
                tx.store().value(),
                JobRows.UNFINISHED,
                tx.store().value(),
                tx.store().value(),
                tx.store().value());
    }

    private static Set<String> texts(Tx tx, String sql, Object... values) {
        return Set.copyOf(tx.texts(sql, values));
    }
}
