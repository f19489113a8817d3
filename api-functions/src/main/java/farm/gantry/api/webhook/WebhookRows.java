package farm.gantry.api.webhook;

import farm.gantry.Id;
import farm.gantry.api.database.Tx;
import farm.gantry.api.json.JsonCodec;
import farm.gantry.notification.WebhookDelivery;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Statements on webhook deliveries. */
@Singleton
public final class WebhookRows {
    private final JsonCodec json;

    /** A delivery claimed until its lease ends, with its number of attempts so far. */
    public record ClaimedDelivery(String id, String body, int attempts) {}

    /** An attempt and the resulting state of its delivery. */
    @Serdeable
    public record Outcome(
            String id,
            WebhookDelivery.Attempt attempt,
            WebhookDelivery.Status status,
            @Nullable Instant nextAttemptAt) {}

    WebhookRows(JsonCodec json) {
        this.json = json;
    }

    /** A new delivery: the entity it is about, if any, and its body, which is sent unchanged. */
    public record NewDelivery(@Nullable String entityId, String body) {}

    /** Adds deliveries of one event; returns their ids. */
    public List<String> add(
            Tx tx, String event, List<NewDelivery> added, WebhookDelivery.Status status, Instant nextAttemptAt) {
        List<String> ids = added.stream().map(_ -> Id.next()).toList();
        tx.update(
                """
                insert into farm."webhookDelivery"
                  ("storeId", id, "createdAt", "updatedAt", event, "entityId", body, status, attempts, "nextAttemptAt")
                select ?, d.id, now(), now(), ?, d."entityId", d.body::json, ?, '[]', ?::timestamptz
                from unnest(?::text[], ?::text[], ?::text[]) with ordinality d(id, "entityId", body, place) order by place""",
                tx.store().value(),
                event,
                status.name(),
                nextAttemptAt.toString(),
                ids.toArray(String[]::new),
                added.stream().map(NewDelivery::entityId).toArray(String[]::new),
                added.stream().map(NewDelivery::body).toArray(String[]::new));
        return ids;
    }

    /** Makes held deliveries due. */
    public void release(Tx tx, List<String> ids, Instant now) {
        tx.update("""
                update farm."webhookDelivery" set status = 'pending', "nextAttemptAt" = ?::timestamptz
                where "storeId" = ? and id = any(?) and status = 'held'""", now.toString(), tx.store().value(), ids.toArray(String[]::new));
    }

    /**
     * Claims at most {@code max} due deliveries, with at most {@code maxConcurrent} running; per entity only the first
     * without a recorded attempt. They are claimed until {@code lease}; after a crash they are then due again, so they
     * may be delivered twice but are not lost. The caller must have locked the webhook. The claimed ids are
     * materialised as an array, because PostgreSQL may run a subquery of {@code in} once per row and claim more each
     * time.
     */
    public List<ClaimedDelivery> claim(Tx tx, Instant now, Instant lease, int max, int maxConcurrent) {
        return tx.list(
                """
                update farm."webhookDelivery" d set "nextAttemptAt" = ?::timestamptz, "leasedUntil" = ?::timestamptz
                where d."storeId" = ? and d.id = any(array(
                  select due.id from farm."webhookDelivery" due
                  where due."storeId" = ? and due."channelId" is null and due.status = 'pending'
                    and due."nextAttemptAt" <= ?::timestamptz
                    and coalesce(
                      (select min(first.sequence) from farm."webhookDelivery" first
                       where first."storeId" = due."storeId" and first."unattemptedOf" = due."unattemptedOf")
                      = due.sequence, true)
                  order by due."nextAttemptAt", due.sequence
                  limit least(?, greatest(0, ? - (
                    select count(*) from farm."webhookDelivery" leased
                    where leased."storeId" = ? and leased."channelId" is null and leased."leasedUntil" > ?::timestamptz)))
                  for update skip locked))
                returning d.id, d.body::text, json_array_length(d.attempts)""",
                rows -> new ClaimedDelivery(rows.getString(1), rows.getString(2), rows.getInt(3)),
                lease.toString(),
                lease.toString(),
                tx.store().value(),
                tx.store().value(),
                now.toString(),
                max,
                maxConcurrent,
                tx.store().value(),
                now.toString());
    }

    /** Returns when the next delivery is due and not paused, or the lease of a claimed one ends. */
    public Optional<Instant> nextAttempt(Tx tx) {
        return tx.first(
                """
                select greatest(d."nextAttemptAt", n."pausedUntil")
                from farm."webhookDelivery" d left join farm."notificationSetting" n on n."storeId" = d."storeId"
                where d."storeId" = ? and d."channelId" is null and d.status = 'pending' order by d."nextAttemptAt" limit 1""",
                rows -> rows.getObject(1, OffsetDateTime.class).toInstant(),
                tx.store().value());
    }

    public void record(Tx tx, List<Outcome> outcomes) {
        tx.update("""
                update farm."webhookDelivery" d
                set attempts = (d.attempts::jsonb || o.attempt)::json, attempted = true, status = o.status,
                  "nextAttemptAt" = o."nextAttemptAt", "leasedUntil" = null, "updatedAt" = now()
                from json_to_recordset(?::json)
                  as o(id text, attempt jsonb, status text, "nextAttemptAt" timestamptz)
                where d."storeId" = ? and d.id = o.id""", json.write(outcomes), tx.store().value());
    }

    /** Pauses deliveries until the time; null ends the pause. */
    public void pause(Tx tx, @Nullable Instant until) {
        tx.update(
                "update farm.\"notificationSetting\" set \"pausedUntil\" = ?::timestamptz where \"storeId\" = ?",
                until == null ? null : until.toString(),
                tx.store().value());
    }

    /** Ends the pause at the latest now. */
    public void endPause(Tx tx, Instant now) {
        tx.update("""
                update farm."notificationSetting" set "pausedUntil" = ?::timestamptz
                where "storeId" = ? and "pausedUntil" > ?::timestamptz""", now.toString(), tx.store().value(), now.toString());
    }

    /** Holds all pending deliveries until the time. */
    public void holdPending(Tx tx, Instant until) {
        tx.update("""
                update farm."webhookDelivery" set status = 'held', "nextAttemptAt" = ?::timestamptz, "updatedAt" = now()
                where "storeId" = ? and "channelId" is null and status = 'pending'""", until.toString(), tx.store().value());
    }

    /** Gives deliveries of events of a period another status, due at {@code nextAttemptAt}; returns their number. */
    public int replay(
            Tx tx,
            Set<WebhookDelivery.Status> statuses,
            Instant from,
            Instant to,
            WebhookDelivery.Status status,
            Instant nextAttemptAt) {
        return tx.update(
                """
                update farm."webhookDelivery" set status = ?, "nextAttemptAt" = ?::timestamptz, "updatedAt" = now()
                where "storeId" = ? and "channelId" is null and status = any(string_to_array(?, ','))
                  and "createdAt" between ?::timestamptz and ?::timestamptz""",
                status.name(),
                nextAttemptAt.toString(),
                tx.store().value(),
                statuses.stream().map(Enum::name).collect(Collectors.joining(",")),
                from.toString(),
                to.toString());
    }

    /** Discards deliveries that were held too long. */
    public void discard(Tx tx, Instant now) {
        tx.update("""
                update farm."webhookDelivery" set status = 'discarded', "nextAttemptAt" = null, "updatedAt" = now()
                where "storeId" = ? and status = 'held' and "nextAttemptAt" <= ?::timestamptz""", tx.store().value(), now.toString());
    }

    /** Discards held deliveries of events of a period; returns their number. */
    public int discardHeld(Tx tx, Instant from, Instant to) {
        return tx.update("""
                update farm."webhookDelivery" set status = 'discarded', "nextAttemptAt" = null, "updatedAt" = now()
                where "storeId" = ? and status = 'held' and "createdAt" between ?::timestamptz and ?::timestamptz""", tx.store().value(), from.toString(), to.toString());
    }

    /** Adds failures of a notification channel, or of the webhook if {@code channelId} is null. */
    public void addFailures(Tx tx, @Nullable String channelId, List<Instant> times) {
        times.forEach(at -> tx.update(
                "insert into farm.\"webhookFailure\" (\"storeId\", id, at, \"channelId\") values (?, ?, ?::timestamptz, ?)",
                tx.store().value(),
                Id.next(),
                at.toString(),
                channelId));
    }

    /** Deletes failures of the channel or webhook before the time; returns the number of the others. */
    public int failuresSince(Tx tx, @Nullable String channelId, Instant since) {
        String channel = channelId == null ? "" : channelId;
        tx.update("""
                delete from farm."webhookFailure"
                where "storeId" = ? and coalesce("channelId", '') = ? and at <= ?::timestamptz""", tx.store().value(), channel, since.toString());
        return tx.one(
                "select count(*) from farm.\"webhookFailure\" where \"storeId\" = ? and coalesce(\"channelId\", '') = ?",
                rows -> rows.getInt(1),
                tx.store().value(),
                channel);
    }
}
