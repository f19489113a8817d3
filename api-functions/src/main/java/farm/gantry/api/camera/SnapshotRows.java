package farm.gantry.api.camera;

import farm.gantry.StoreId;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Tx;
import farm.gantry.wire.LinkResponse.SnapshotRequest;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Latest camera snapshots while somebody requests them, and whether agents have been asked to send them. */
@Singleton
public final class SnapshotRows {
    /** Seconds for which an agent sends snapshots after a request; the request is renewed while somebody views them. */
    private static final int REQUEST_SECONDS = 40;

    private final Database database;

    SnapshotRows(Database database) {
        this.database = database;
    }

    /** A snapshot and its age in seconds, or the reason why the camera has none, or neither before the first. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record StoredSnapshot(
            byte @Nullable [] image,
            @Nullable Integer age,
            @Nullable String fault) {}

    /** Notes that somebody views these printers; returns whether an agent must be asked for snapshots. */
    public boolean request(Tx tx, List<String> printerIds, int width) {
        tx.update("""
                insert into farm.still ("storeId", "printerId", width, "wantedAt")
                select p."storeId", p.id, ?, now() from farm.printer p where p."storeId" = ? and p.id = any(?) order by p.id
                on conflict ("storeId", "printerId", width) do update set "wantedAt" = now()
                where still."wantedAt" < now() - interval '3 seconds'""", width, tx.store().value(), printerIds.toArray(String[]::new));
        return tx.query(
                """
                select exists (select from farm.still where "storeId" = ? and "printerId" = any(?) and width = ?
                  and ("toldAt" is null or "toldAt" < now() - interval '25 seconds'))""",
                rows -> rows.next() && rows.getBoolean(1),
                tx.store().value(),
                printerIds.toArray(String[]::new),
                width);
    }

    /**
     * Returns the snapshots to request from the agent, without those requested in the last ten seconds. Rows locked by
     * a concurrent viewer are skipped and requested with the next response, so that neither waits for the other.
     */
    public List<SnapshotRequest> claimRequests(Tx tx, String agentId) {
        return tx.list(
                """
                with due as (
                  select s."storeId", s."printerId", s.width, p."deviceId" from farm.still s
                  join farm.printer p on p."storeId" = s."storeId" and p.id = s."printerId"
                  where s."storeId" = ? and p."proxyClientId" = ?
                    and p."deviceId" is not null and s."wantedAt" > now() - interval '20 seconds'
                    and (s."toldAt" is null or s."toldAt" < now() - interval '10 seconds')
                  for update of s skip locked)
                update farm.still s set "toldAt" = now() from due
                where s."storeId" = due."storeId" and s."printerId" = due."printerId" and s.width = due.width
                returning due."deviceId", s.width""",
                rows -> new SnapshotRequest(rows.getString(1), rows.getInt(2), REQUEST_SECONDS),
                tx.store().value(),
                agentId);
    }

    /** Stores the agent's snapshot, in base 64, if somebody requested it in the last two minutes. */
    public void store(Tx tx, String agentId, String deviceId, int width, String image) {
        store(tx, agentId, deviceId, width, "picture = decode(?, 'base64'), fault = null", image);
    }

    /** Stores why there is no snapshot. */
    public void storeFault(Tx tx, String agentId, String deviceId, int width, String fault) {
        store(tx, agentId, deviceId, width, "picture = null, fault = ?", fault);
    }

    private static void store(Tx tx, String agentId, String deviceId, int width, String change, String value) {
        tx.update(
                "update farm.still s set \"takenAt\" = now(), " + change + """
                 from farm.printer p where s."storeId" = ? and p."storeId" = s."storeId" and p.id = s."printerId"
                and p."proxyClientId" = ? and p."deviceId" = ? and s.width = ?
                and s."wantedAt" > now() - interval '2 minutes'""",
                value,
                tx.store().value(),
                agentId,
                deviceId,
                width);
    }

    /** Returns stored snapshots by printer id. */
    public Map<String, StoredSnapshot> find(Tx tx, List<String> printerIds, int width) {
        return tx.map(
                """
                select "printerId", picture, floor(extract(epoch from now() - "takenAt"))::int as age, fault
                from farm.still where "storeId" = ? and "printerId" = any(?) and width = ? and "takenAt" is not null""",
                rows -> new StoredSnapshot(rows.getBytes("picture"), rows.getInt("age"), rows.getString("fault")),
                tx.store().value(),
                printerIds.toArray(String[]::new),
                width);
    }

    /** Deletes snapshots, in all stores, that nobody has requested in the last two minutes. */
    public void deleteUnrequested() {
        for (StoreId store : database.findStores("stores_with_unwanted_stills")) {
            database.in(store, tx -> tx.update("""
                            delete from farm.still s using (
                              select "printerId", width from farm.still
                              where "storeId" = ? and "wantedAt" < now() - interval '2 minutes' for update skip locked) gone
                            where s."storeId" = ? and s."printerId" = gone."printerId" and s.width = gone.width""", store.value(), store.value()));
        }
    }
}
