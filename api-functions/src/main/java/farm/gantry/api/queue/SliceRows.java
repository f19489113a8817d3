package farm.gantry.api.queue;

import farm.gantry.api.database.Tx;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Requested slices. */
@Singleton
public final class SliceRows {
    private static final String WORK = "slices";

    /** Takes the shared lock for asking for slices, unless settings change just now: whether it has the lock. */
    public boolean tryLockShared(Tx tx) {
        return tx.tryLockShared(WORK);
    }

    /** Takes the exclusive lock for changing settings: waits for those who ask for slices with the ones of before. */
    public void lockExclusive(Tx tx) {
        tx.lockExclusive(WORK);
    }

    /**
     * The jobs whose slice was not requested yet, or so long ago that it counts as lost, locked. Those that another transaction has
     * locked are left to the next round: this one has printers already, before which jobs are locked.
     */
    public List<String> due(Tx tx, Instant lostBefore) {
        return tx.texts("""
                select j.id from farm."printJob" j left join farm."sliceAsked" s
                  on s."storeId" = j."storeId" and s."jobId" = j.id and s.attempt = j.attempt
                where j."storeId" = ? and j.status = 'Slicing' and (s.at is null or s.at < ?::timestamptz)
                order by j.priority, j."queueOrder", j.id for update of j skip locked""", tx.store().value(), lostBefore.toString());
    }

    /** {@code setupDigest} is of the settings that it is asked for with. */
    public void asked(Tx tx, String jobId, int attempt, String setupDigest, Instant at) {
        tx.update("""
                with settings as (update farm."printJob" set "setupDigest" = ? where "storeId" = ? and id = ?)
                insert into farm."sliceAsked" ("storeId", "jobId", attempt, at) values (?, ?, ?, ?::timestamptz)
                on conflict ("storeId", "jobId") do update set attempt = excluded.attempt, at = excluded.at""", setupDigest, tx.store().value(), jobId, tx.store().value(), jobId, attempt, at.toString());
    }

    /** The jobs whose slice was asked for, and that were not sent to their printers → digest of the settings it was asked for with. */
    public Map<String, String> setupDigests(Tx tx) {
        return tx.map("""
                select j.id, j."setupDigest" from farm."printJob" j
                where j."storeId" = ? and j."setupDigest" is not null
                and j.status in ('Slicing', 'Sliced', 'Finalizing', 'Waiting-for-approval', 'Ready-for-printer')
                and (j.status <> 'Slicing' or exists (select from farm."sliceAsked" s
                  where s."storeId" = j."storeId" and s."jobId" = j.id and s.attempt = j.attempt))""", rows -> rows.getString(2), tx.store().value());
    }

    /** Whether a slice, by its job's id and attempt, is waited for; one of no job that is known may be. */
    public boolean isWanted(Tx tx, String sliceId) {
        return tx.texts("""
                select id from farm."printJob" where "storeId" = ? and id = split_part(?, '-', 1)
                and (status <> 'Slicing' or attempt::text <> split_part(?, '-', 2))""", tx.store().value(), sliceId, sliceId).isEmpty();
    }

    public void answered(Tx tx, String jobId) {
        tx.update(
                "delete from farm.\"sliceAsked\" where \"storeId\" = ? and \"jobId\" = ?",
                tx.store().value(),
                jobId);
    }
}
