package farm.gantry.api.webhook;

import farm.gantry.Id;
import farm.gantry.api.database.Tx;
import farm.gantry.api.json.JsonCodec;
import farm.gantry.notification.WebhookDelivery.Attempt;
import farm.gantry.notification.WebhookDelivery.Status;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Statements on messages to notification channels, which are deliveries with the id of a channel. */
@Singleton
public final class ChannelRows {
    /** Time in which repetitions of a message are at most one further message. */
    private static final Duration REPEAT_WINDOW = Duration.ofMinutes(1);

    /** Maximum number of messages in a digest; the others follow in the next one. */
    private static final int MAX_DIGEST = 100;

    private final JsonCodec json;

    ChannelRows(JsonCodec json) {
        this.json = json;
    }

    /**
     * A new message: its channel, the printer it is about, if any, the id of what has the fault that it reports, if it reports one, its JSON, when
     * it is due, and the end of the quiet hours in which it is collected; null outside them.
     */
    record NewMessage(
            String channelId,
            @Nullable String printerId,
            @Nullable String faultySubject,
            String json,
            Instant dueAt,
            @Nullable Instant digestAt) {}

    /**
     * A message claimed until its lease ends. {@code resolvedAfter} is the time from the event to the end of the fault, null while it lasts;
     * {@code reference} is set if the message was sent before and is to be updated.
     */
    record ClaimedMessage(
            WebhookRows.ClaimedDelivery delivery,
            @Nullable Duration resolvedAfter,
            @Nullable String reference) {
        boolean isUpdate() {
            return reference != null;
        }
    }

    /** An attempt at a message that was claimed as resolved or not, its state after it, and the reference to the sent message. */
    @Serdeable
    record Outcome(
            String id,
            boolean resolved,
            Attempt attempt,
            Status status,
            @Nullable Instant nextAttemptAt,
            @Nullable String reference) {}

    /**
     * Adds messages about one event. A repetition of a waiting message that is less than a minute old is counted there
     * instead. A repetition of a message that was sent less than a minute ago waits for the rest of the minute, so that
     * further ones are counted. A repetition is about the same subject and has the same text.
     */
    void add(Tx tx, String event, List<NewMessage> messages, Instant now) {
        List<NewMessage> added = messages.stream()
                .filter(message -> !count(tx, event, message, now))
                .toList();
        tx.update(
                """
                insert into farm."webhookDelivery" ("storeId", id, "createdAt", "updatedAt", event, body, status, attempts,
                  "nextAttemptAt", "channelId", "printerId", "faultySubject", "digestAt")
                select ?, m.id, ?::timestamptz, now(), ?, m.body::json, 'pending', '[]',
                  greatest(m."dueAt"::timestamptz, m."digestAt"::timestamptz, (
                    select max(w."createdAt") + interval '1 minute' from farm."webhookDelivery" w
                    where w."storeId" = ? and w."channelId" = m."channelId" and w.event = ? and w."createdAt" > ?::timestamptz
                      and w.status <> 'discarded' and coalesce(w."printerId", w."faultySubject") = coalesce(m."printerId", m."faultySubject")
                      and w."faultySubject" is not distinct from m."faultySubject" and w.body->>'title' = m.body::json->>'title'
                      and w.body->>'text' = m.body::json->>'text'
                      and w.body->>'link' is not distinct from m.body::json->>'link')),
                  m."channelId", m."printerId", m."faultySubject", m."digestAt"::timestamptz
                from unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[]) with ordinality
                  m(id, body, "channelId", "printerId", "faultySubject", "dueAt", "digestAt", place)
                order by place""",
                tx.store().value(),
                now.toString(),
                event,
                tx.store().value(),
                event,
                now.minus(REPEAT_WINDOW).toString(),
                added.stream().map(_ -> Id.next()).toArray(String[]::new),
                added.stream().map(NewMessage::json).toArray(String[]::new),
                added.stream().map(NewMessage::channelId).toArray(String[]::new),
                added.stream().map(NewMessage::printerId).toArray(String[]::new),
                added.stream().map(NewMessage::faultySubject).toArray(String[]::new),
                added.stream().map(message -> message.dueAt().toString()).toArray(String[]::new),
                added.stream()
                        .map(message -> message.digestAt() == null
                                ? null
                                : message.digestAt().toString())
                        .toArray(String[]::new));
    }

    /**
     * Counts a repetition in an equal message that waits, is less than a minute old and not being sent, unless the printer,
     * or what else has the fault, had another event since. A fault that ended before its message was sent is open again. Returns false if
     * there is no such message, or if another transaction has locked it.
     */
    private static boolean count(Tx tx, String event, NewMessage message, Instant now) {
        return tx.update(
                        """
                with waiting as materialized (
                  select w.id from farm."webhookDelivery" w
                  where w."storeId" = ? and w."channelId" = ? and w.event = ? and w."createdAt" > ?::timestamptz
                    and w.status = 'pending' and w."messageReference" is null
                    and (w."leasedUntil" is null or w."leasedUntil" <= ?::timestamptz)
                    and coalesce(w."printerId", w."faultySubject") = coalesce(?, ?) and w."faultySubject" is not distinct from ?
                    and w.body->>'title' = ?::json->>'title' and w.body->>'text' = ?::json->>'text'
                    and w.body->>'link' is not distinct from ?::json->>'link'
                    and not exists (
                      select from farm."webhookDelivery" later
                      where later."storeId" = w."storeId" and later."channelId" = w."channelId" and later.sequence > w.sequence
                        and later."createdAt" >= w."createdAt" and later.event <> w.event and later.status = 'pending'
                        and coalesce(later."printerId", later."faultySubject") = coalesce(w."printerId", w."faultySubject"))
                  order by w.sequence desc limit 1 for update of w skip locked)
                update farm."webhookDelivery" d
                set body = jsonb_set(d.body::jsonb, '{count}', to_jsonb(coalesce((d.body->>'count')::int, 1) + 1))::json,
                  "resolvedAt" = null, "updatedAt" = now()
                from waiting where d."storeId" = ? and d.id = waiting.id""",
                        tx.store().value(),
                        message.channelId(),
                        event,
                        now.minus(REPEAT_WINDOW).toString(),
                        now.toString(),
                        message.printerId(),
                        message.faultySubject(),
                        message.faultySubject(),
                        message.json(),
                        message.json(),
                        message.json(),
                        tx.store().value())
                == 1;
    }

    /** Collects the waiting messages of changed quiet hours until their new end, or makes them due. */
    void reschedule(Tx tx, String channelId, Instant digestAt) {
        tx.update("""
                update farm."webhookDelivery" set "digestAt" = ?::timestamptz, "nextAttemptAt" = ?::timestamptz, "updatedAt" = now()
                where "storeId" = ? and "channelId" = ? and status = 'pending' and "digestAt" is not null and not attempted
                  and "leasedUntil" is null""", digestAt.toString(), digestAt.toString(), tx.store().value(), channelId);
    }

    /** Returns the ids of channels with due messages, also of channels that were deleted. */
    List<String> dueChannels(Tx tx, Instant now) {
        return tx.texts("""
                select distinct "channelId" from farm."webhookDelivery"
                where "storeId" = ? and "channelId" is not null and status = 'pending' and "nextAttemptAt" <= ?::timestamptz""", tx.store().value(), now.toString());
    }

    /**
     * Claims the channel's oldest due message until {@code lease}, unless one of its messages is claimed; if it was collected
     * during quiet hours, all such messages that are due. Returns them in their order. Updates of sent messages come after new ones. The
     * caller must have locked the channel.
     */
    List<ClaimedMessage> claim(Tx tx, String channelId, Instant now, Instant lease) {
        return tx.list(
                """
                with due as materialized (
                  select due.id, due.sequence, due."digestAt" is not null collected, due."messageReference" is not null "isUpdate"
                  from farm."webhookDelivery" due
                  where due."storeId" = ? and due."channelId" = ? and due.status = 'pending'
                    and due."nextAttemptAt" <= ?::timestamptz
                    and not exists (
                      select from farm."webhookDelivery" leased
                      where leased."storeId" = ? and leased."channelId" = ? and leased."leasedUntil" > ?::timestamptz)
                  order by "isUpdate", due.sequence limit ? for update skip locked),
                first as (select * from due order by "isUpdate", sequence limit 1),
                claimed as (
                  update farm."webhookDelivery" d set "nextAttemptAt" = ?::timestamptz, "leasedUntil" = ?::timestamptz
                  from due, first
                  where d."storeId" = ? and d.id = due.id and (due.id = first.id or (first.collected and due.collected))
                  returning d.id, d.body::text, json_array_length(d.attempts) attempts, d."messageReference", d.sequence,
                    extract(epoch from d."resolvedAt" - d."createdAt")::bigint "resolvedAfter")
                select id, body, attempts, "resolvedAfter", "messageReference" from claimed order by sequence""",
                ChannelRows::claimedMessage,
                tx.store().value(),
                channelId,
                now.toString(),
                tx.store().value(),
                channelId,
                now.toString(),
                MAX_DIGEST,
                lease.toString(),
                lease.toString(),
                tx.store().value());
    }

    private static ClaimedMessage claimedMessage(ResultSet rows) throws SQLException {
        long seconds = rows.getLong(4);
        Duration resolvedAfter = rows.wasNull() ? null : Duration.ofSeconds(seconds);
        return new ClaimedMessage(
                new WebhookRows.ClaimedDelivery(rows.getString(1), rows.getString(2), rows.getInt(3)),
                resolvedAfter,
                rows.getString(5));
    }

    /**
     * Records attempts. A message that was sent while its fault ended is due again, to be updated. The caller must have locked the channel.
     */
    void record(Tx tx, List<Outcome> outcomes) {
        tx.update("""
                update farm."webhookDelivery" d
                set attempts = (d.attempts::jsonb || o.attempt)::json, attempted = true, "leasedUntil" = null, "updatedAt" = now(),
                  "messageReference" = coalesce(o.reference, d."messageReference"),
                  status = case when o.reference is not null and d."resolvedAt" is not null and not o.resolved
                    then 'pending' else o.status end,
                  "nextAttemptAt" = case when o.reference is not null and d."resolvedAt" is not null and not o.resolved
                    then d."resolvedAt" else o."nextAttemptAt" end,
                  "digestAt" = case when o.reference is not null then null else d."digestAt" end
                from json_to_recordset(?::json)
                  as o(id text, resolved boolean, attempt jsonb, status text, "nextAttemptAt" timestamptz, reference text)
                where d."storeId" = ? and d.id = o.id""", json.write(outcomes), tx.store().value());
    }

    /**
     * Marks the messages about faults of these subjects as resolved; those that were sent and can be updated become due. Returns whether
     * there are any.
     */
    boolean resolve(Tx tx, String event, Collection<String> subjects, Instant now) {
        return tx.update(
                        """
                with ended as materialized (
                  select w.id, w.status = 'delivered' and w."messageReference" is not null updatable from farm."webhookDelivery" w
                  where w."storeId" = ? and w.event = ? and w."faultySubject" = any(?) and w."faultySubject" is not null
                    and w."resolvedAt" is null and w.status in ('pending', 'delivered')
                  order by w.id for update)
                update farm."webhookDelivery" d set "resolvedAt" = ?::timestamptz, "updatedAt" = now(),
                  status = case when ended.updatable then 'pending' else d.status end,
                  "nextAttemptAt" = case when ended.updatable then ?::timestamptz else d."nextAttemptAt" end
                from ended where d."storeId" = ? and d.id = ended.id""",
                        tx.store().value(),
                        event,
                        subjects.toArray(String[]::new),
                        now.toString(),
                        now.toString(),
                        tx.store().value())
                > 0;
    }

    /** Forgets the references to sent messages of channels, which are invalid with other settings. */
    void forgetReferences(Tx tx, Collection<String> channelIds) {
        tx.update("""
                update farm."webhookDelivery" set "messageReference" = null, "leasedUntil" = null, "updatedAt" = now(),
                  "nextAttemptAt" = null, status = case when status = 'pending' then 'delivered' else status end
                where "storeId" = ? and "channelId" = any(?) and "messageReference" is not null""", tx.store().value(), channelIds.toArray(String[]::new));
    }

    /** Returns when the next message is due and not paused, or the lease of a claimed one ends. */
    Optional<Instant> nextAttempt(Tx tx) {
        return tx.first(
                """
                select greatest(d."nextAttemptAt", c."pausedUntil") due
                from farm."webhookDelivery" d
                left join farm."notificationChannel" c on c."storeId" = d."storeId" and c.id = d."channelId"
                where d."storeId" = ? and d."channelId" is not null and d.status = 'pending' order by due limit 1""",
                rows -> rows.getObject(1, OffsetDateTime.class).toInstant(),
                tx.store().value());
    }

    /** Discards the waiting messages of channels, and updates of sent ones. */
    void discard(Tx tx, Collection<String> channelIds) {
        tx.update("""
                update farm."webhookDelivery" set "nextAttemptAt" = null, "leasedUntil" = null, "updatedAt" = now(),
                  status = case when "messageReference" is null then 'discarded' else 'delivered' end
                where "storeId" = ? and "channelId" = any(?) and status = 'pending'""", tx.store().value(), channelIds.toArray(String[]::new));
    }

    /** Deletes the messages and failures of deleted channels. */
    void deleteOf(Tx tx, Collection<String> channelIds) {
        tx.update(
                "delete from farm.\"webhookDelivery\" where \"storeId\" = ? and \"channelId\" = any(?)",
                tx.store().value(),
                channelIds.toArray(String[]::new));
        deleteFailures(tx, channelIds);
    }

    /** Deletes the counted failures of channels. */
    void deleteFailures(Tx tx, Collection<String> channelIds) {
        tx.update(
                "delete from farm.\"webhookFailure\" where \"storeId\" = ? and \"channelId\" = any(?)",
                tx.store().value(),
                channelIds.toArray(String[]::new));
    }
}
