package farm.gantry.api.queue;

import farm.gantry.api.database.AdvisoryLock;
import farm.gantry.api.database.Tx;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Requested slices. */
@Singleton
public final class SliceRows {
    /** Takes the shared lock for requesting slices, unless settings are being changed; returns whether it was taken. */
    public boolean tryLockShared(Tx tx) {
        return tx.tryLockShared(AdvisoryLock.SLICES);
    }

    /**
     * Takes the exclusive lock for changing settings: waits for transactions that request slices with the old settings.
     */
    public void lockExclusive(Tx tx) {
        tx.lockExclusive(AdvisoryLock.SLICES);
    }

    /**
     * Locks and returns the jobs whose slice was not requested, or was requested before {@code lostBefore}. Jobs locked
     * by another transaction are skipped, because this one already holds printers, which are locked after jobs.
     */
    public List<String> lockDueJobs(Tx tx, Instant lostBefore) {
        return tx.texts("""
                select j.id from farm."printJob" j left join farm."sliceAsked" s
                  on s."storeId" = j."storeId" and s."jobId" = j.id and s.attempt = j.attempt
                where j."storeId" = ? and j.status = 'Slicing' and (s.at is null or s.at < ?::timestamptz)
                order by j.priority, j."queueOrder", j.id for update of j skip locked""", tx.store().value(), lostBefore.toString());
    }

    /** Records a request; {@code setupDigest} is the hash of its settings. */
    public void recordRequest(Tx tx, String jobId, int attempt, String setupDigest, Instant at) {
        tx.update("""
                with settings as (update farm."printJob" set "setupDigest" = ? where "storeId" = ? and id = ?)
                insert into farm."sliceAsked" ("storeId", "jobId", attempt, at) values (?, ?, ?, ?::timestamptz)
                on conflict ("storeId", "jobId") do update set attempt = excluded.attempt, at = excluded.at""", setupDigest, tx.store().value(), jobId, tx.store().value(), jobId, attempt, at.toString());
    }

    /** Job id → hash of the settings of its requested slice, for jobs not yet sent to their printers. */
    public Map<String, String> setupDigests(Tx tx) {
        return tx.map("""
                select j.id, j."setupDigest" from farm."printJob" j
                where j."storeId" = ? and j."setupDigest" is not null
                and j.status in ('Slicing', 'Sliced', 'Finalizing', 'Waiting-for-approval', 'Ready-for-printer')
                and (j.status <> 'Slicing' or exists (select from farm."sliceAsked" s
                  where s."storeId" = j."storeId" and s."jobId" = j.id and s.attempt = j.attempt))""", rows -> rows.getString(2), tx.store().value());
    }

    /** Whether the slice, identified by job id and attempt, is still needed; true for unknown jobs. */
    public boolean isWanted(Tx tx, String sliceId) {
        return tx.texts("""
                select id from farm."printJob" where "storeId" = ? and id = split_part(?, '-', 1)
                and (status <> 'Slicing' or attempt::text <> split_part(?, '-', 2))""", tx.store().value(), sliceId, sliceId).isEmpty();
    }

    public void deleteRequest(Tx tx, String jobId) {
        tx.update(
                "delete from farm.\"sliceAsked\" where \"storeId\" = ? and \"jobId\" = ?",
                tx.store().value(),
                jobId);
    }
}
