package farm.gantry.api.store;

import farm.gantry.Id;
import farm.gantry.notification.WebhookDelivery;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.List;

/** Statements on webhook deliveries. */
@Singleton
public final class WebhookRows {
    /** A delivery claimed until its lease ends. */
    public record Claimed(String id, String body) {}

    /** Adds a delivery; {@code body} is sent unchanged. */
    public String add(Tx tx, String event, String body, WebhookDelivery.Status status, Instant nextAttemptAt) {
        String id = Id.next();
        tx.update("""
                insert into farm."webhookDelivery"
                  ("storeId", id, "createdAt", "updatedAt", event, body, status, attempts, "nextAttemptAt")
                values (?, ?, now(), now(), ?, ?::json, ?, '[]', ?::timestamptz)""", tx.store().value(), id, event, body, status.name(), nextAttemptAt.toString());
        return id;
    }

    /**
     * Takes what is due. Until {@code lease} nobody else takes it; if we die before we say how it went, it is due again
     * then, so that a crash delivers twice and never not at all.
     */
    public List<Claimed> claim(Tx tx, Instant now, Instant lease, int most) {
        return tx.list(
                """
                update farm."webhookDelivery" d set "nextAttemptAt" = ?::timestamptz
                where d."storeId" = ? and d.id in (
                  select id from farm."webhookDelivery"
                  where "storeId" = ? and status = 'pending' and "nextAttemptAt" <= ?::timestamptz
                  order by "nextAttemptAt", id limit ? for update skip locked)
                returning d.id, d.body::text""",
                rows -> new Claimed(rows.getString(1), rows.getString(2)),
                lease.toString(),
                tx.store().value(),
                tx.store().value(),
                now.toString(),
                most);
    }

    /** Changes all deliveries of one status to another, due at the time. */
    public int changeStatus(Tx tx, WebhookDelivery.Status from, WebhookDelivery.Status to, Instant nextAttemptAt) {
        return tx.update("""
                update farm."webhookDelivery" set status = ?, "nextAttemptAt" = ?::timestamptz, "updatedAt" = now()
                where "storeId" = ? and status = ?""", to.name(), nextAttemptAt.toString(), tx.store().value(), from.name());
    }

    /** Discards deliveries that were held too long. */
    public int discard(Tx tx, Instant now) {
        return tx.update("""
                update farm."webhookDelivery" set status = 'discarded', "nextAttemptAt" = null, "updatedAt" = now()
                where "storeId" = ? and status = 'held' and "nextAttemptAt" <= ?::timestamptz""", tx.store().value(), now.toString());
    }

    public void addFailure(Tx tx, Instant at) {
        tx.update(
                "insert into farm.\"webhookFailure\" (\"storeId\", id, at) values (?, ?, ?::timestamptz)",
                tx.store().value(),
                Id.next(),
                at.toString());
    }

    /** The number of failures since then; deletes older ones. */
    public int failuresSince(Tx tx, Instant since) {
        tx.update(
                "delete from farm.\"webhookFailure\" where \"storeId\" = ? and at <= ?::timestamptz",
                tx.store().value(),
                since.toString());
        return tx.query(
                "select count(*) from farm.\"webhookFailure\" where \"storeId\" = ?",
                rows -> {
                    rows.next();
                    return rows.getInt(1);
                },
                tx.store().value());
    }
}
