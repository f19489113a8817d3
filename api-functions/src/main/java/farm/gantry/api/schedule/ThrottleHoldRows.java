package farm.gantry.api.schedule;

import farm.gantry.api.database.Tx;
import farm.gantry.schedule.Throttle;
import jakarta.inject.Singleton;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;

/** Reads and writes holds: starts that occupy a place of their throttle group. */
@Singleton
public final class ThrottleHoldRows {

    /** Releases the holds of attempts that are no longer at their printer. */
    public void releaseFinished(Tx tx) {
        tx.update("""
                delete from farm."throttleHold" h where h."storeId" = ? and not exists (
                  select from farm."printJob" j where j."storeId" = h."storeId" and j.id = h."jobId"
                    and j.attempt = h.attempt and j.status in ('Sending-to-printer', 'Printing', 'Paused'))""", tx.store().value());
    }

    /** Returns the holds by group id. */
    public Map<String, List<Throttle.Hold>> all(Tx tx) {
        return tx.group(
                """
                select h."groupId", h."jobId", h.attempt, h."printerId", h.since,
                  j."firstLayerBedTemperature", j."firstLayerNozzleTemperature"
                from farm."throttleHold" h join farm."printJob" j on j."storeId" = h."storeId" and j.id = h."jobId"
                  and j.attempt = h.attempt and j.status in ('Sending-to-printer', 'Printing', 'Paused')
                where h."storeId" = ?""",
                rows -> new Throttle.Hold(
                        rows.getString(2),
                        rows.getInt(3),
                        rows.getString(4),
                        rows.getObject(5, OffsetDateTime.class).toInstant(),
                        rows.getObject(6, Double.class),
                        rows.getObject(7, Double.class)),
                tx.store().value());
    }

    public void take(Tx tx, String groupId, Throttle.Hold hold) {
        tx.update(
                """
                insert into farm."throttleHold" ("storeId", "jobId", attempt, "groupId", "printerId", since)
                values (?, ?, ?, ?, ?, ?::timestamptz)
                on conflict ("storeId", "jobId") do update set attempt = excluded.attempt, "groupId" = excluded."groupId",
                  "printerId" = excluded."printerId", since = excluded.since""",
                tx.store().value(),
                hold.jobId(),
                hold.attempt(),
                groupId,
                hold.printerId(),
                hold.since().toString());
    }

    public void release(Tx tx, List<String> jobIds) {
        tx.update(
                "delete from farm.\"throttleHold\" where \"storeId\" = ? and \"jobId\" = any(?)",
                tx.store().value(),
                jobIds.toArray(String[]::new));
    }

    /** Returns whether any of the agent's printers has a hold, so that its temperatures matter. */
    public boolean isAnyAt(Tx tx, String agentId) {
        return tx.one("""
                select exists (select from farm."throttleHold" h join farm.printer p
                  on p."storeId" = h."storeId" and p.id = h."printerId"
                  where h."storeId" = ? and p."proxyClientId" = ?)""", rows -> rows.getBoolean(1), tx.store().value(), agentId);
    }
}
