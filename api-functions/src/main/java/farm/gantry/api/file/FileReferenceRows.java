package farm.gantry.api.file;

import farm.gantry.api.database.AdvisoryLock;
import farm.gantry.api.database.Tx;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.Collection;
import java.util.Set;

/**
 * References to stored files: from parts, and from parts' jobs until these end. A failed or cancelled job may be
 * retried while its part exists and it was not cleared.
 */
@Singleton
public final class FileReferenceRows {
    /** Lock that a backup holds to prevent the deletion of files. */
    public static final String BACKUP_LOCK = "backup";

    /** Takes the shared lock to add references: no files are deleted until the transaction ends. */
    public void lockShared(Tx tx) {
        tx.lockShared(AdvisoryLock.FILES);
    }

    /** Takes the shared lock unless files are being deleted; returns whether it was taken. */
    public boolean tryLockShared(Tx tx) {
        return tx.tryLockShared(AdvisoryLock.FILES);
    }

    /** Takes the exclusive lock to delete files: waits for and blocks transactions that add references. */
    public void lockExclusive(Tx tx) {
        tx.lockExclusive(AdvisoryLock.FILES);
    }

    /** Whether files may be deleted; if so, no backup begins until the transaction ends. */
    public boolean mayDelete(Tx tx) {
        return tx.texts("select 'yes' where pg_try_advisory_xact_lock_shared(hashtextextended(?, 0))", BACKUP_LOCK)
                        .size()
                == 1;
    }

    /** Returns the ids that are parts, or deleted parts with unfinished jobs. */
    public Set<String> findOwners(Tx tx, Collection<String> ids) {
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

    /** A name in a part's folder: the id of an upload or ingest run, or a file name. */
    public record FileName(String partId, String name) {}

    /** Returns the names that the part's row refers to, or a build whose jobs need them. */
    public Set<FileName> findReferenced(Tx tx, Collection<FileName> some) {
        return Set.copyOf(tx.list(
                """
                select e.part, e.word from unnest(?::text[], ?::text[]) e(part, word) where exists (
                  select from farm.part p where p."storeId" = ? and p.id = e.part and position(e.word in p::text) > 0
                ) or exists (
                  select from farm."partBuild" b where b."storeId" = ? and b."partId" = e.part and position(e.word in b::text) > 0
                  and exists (select from farm."printJob" j where j."storeId" = b."storeId" and j."partBuildId" = b.id
                              and (j.status = any(?) or j.status <> 'Completed' and not j.hidden)))""",
                rows -> new FileName(rows.getString(1), rows.getString(2)),
                some.stream().map(FileName::partId).toArray(String[]::new),
                some.stream().map(FileName::name).toArray(String[]::new),
                tx.store().value(),
                tx.store().value(),
                JobRows.UNFINISHED));
    }

    /** Returns the parts that a worker reads, or slices for a job. */
    public Set<String> findInWork(Tx tx, Collection<String> partIds) {
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
     * Returns the names in {@code made/} of G-code of the parts' jobs, without jobs that ended before the time and
     * cannot be retried.
     */
    public Set<FileName> findSlicesSince(Tx tx, Collection<String> partIds, Instant time) {
        return Set.copyOf(tx.list(
                """
                select distinct "partId", split_part(split_part("slicedGcodeUri", '/made/', 2), '/', 1) from farm."printJob"
                where "storeId" = ? and "partId" = any(?) and "slicedGcodeUri" like '%/made/%'
                and (status = any(?) or status <> 'Completed' and not hidden or "updatedAt" >= ?::timestamptz)""",
                rows -> new FileName(rows.getString(1), rows.getString(2)),
                tx.store().value(),
                partIds.toArray(String[]::new),
                JobRows.UNFINISHED,
                time.toString()));
    }

    /**
     * Returns the needed ids that belong to no part: orders and parts of SKUs have folders for files that their values
     * name, and older runs, builds and jobs had folders of their own.
     */
    public Set<String> findReferencedOwners(Tx tx, Collection<String> ids) {
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
