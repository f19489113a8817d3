package farm.gantry.api.store;

import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.List;

/** Requested slices. */
@Singleton
public final class SliceRows {

    /** The jobs whose slice was not requested yet, or so long ago that it counts as lost. */
    public List<String> due(Tx tx, Instant lostBefore) {
        return tx.texts("""
                select j.id from farm."printJob" j left join farm."sliceAsked" s
                  on s."storeId" = j."storeId" and s."jobId" = j.id and s.attempt = j.attempt
                where j."storeId" = ? and j.status = 'Slicing' and (s.at is null or s.at < ?::timestamptz)
                order by j.priority, j."queueOrder", j.id""", tx.store().value(), lostBefore.toString());
    }

    public void asked(Tx tx, String jobId, int attempt, Instant at) {
        tx.update("""
                insert into farm."sliceAsked" ("storeId", "jobId", attempt, at) values (?, ?, ?, ?::timestamptz)
                on conflict ("storeId", "jobId") do update set attempt = excluded.attempt, at = excluded.at""", tx.store().value(), jobId, attempt, at.toString());
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
