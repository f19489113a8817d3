package farm.gantry.api.webhook;

import farm.gantry.Id;
import farm.gantry.api.database.Tx;
import jakarta.inject.Singleton;
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
    /** Time in which the same event of the same printer is one message while that message waits. */
    private static final Duration REPEAT_WINDOW = Duration.ofMinutes(1);

    /** A new message: its channel, the printer it is about, if any, and its JSON. */
    record NewMessage(String channelId, @Nullable String printerId, String json) {}

    /**
     * Adds messages about one event. Leaves out those whose printer's last waiting message on the channel is about the
     * same event and less than a minute old.
     */
    void add(Tx tx, String event, List<NewMessage> added, Instant now) {
        tx.update(
                """
                insert into farm."webhookDelivery" ("storeId", id, "createdAt", "updatedAt", event, body, status, attempts,
                  "nextAttemptAt", "channelId", "printerId")
                select ?, m.id, ?::timestamptz, now(), ?, m.body::json, 'pending', '[]', ?::timestamptz, m."channelId", m."printerId"
                from unnest(?::text[], ?::text[], ?::text[], ?::text[]) with ordinality
                  m(id, body, "channelId", "printerId", place)
                where m."printerId" is null or not coalesce(
                  (select w.event = ? and w."createdAt" > ?::timestamptz from farm."webhookDelivery" w
                   where w."storeId" = ? and w."channelId" = m."channelId" and w."printerId" = m."printerId"
                     and w.status = 'pending'
                   order by w.sequence desc limit 1), false)
                order by place""",
                tx.store().value(),
                now.toString(),
                event,
                now.toString(),
                added.stream().map(_ -> Id.next()).toArray(String[]::new),
                added.stream().map(NewMessage::json).toArray(String[]::new),
                added.stream().map(NewMessage::channelId).toArray(String[]::new),
                added.stream().map(NewMessage::printerId).toArray(String[]::new),
                event,
                now.minus(REPEAT_WINDOW).toString(),
                tx.store().value());
    }

    /** Returns the ids of channels with due messages, also of channels that were deleted. */
    List<String> dueChannels(Tx tx, Instant now) {
        return tx.texts("""
                select distinct "channelId" from farm."webhookDelivery"
                where "storeId" = ? and "channelId" is not null and status = 'pending' and "nextAttemptAt" <= ?::timestamptz""", tx.store().value(), now.toString());
    }

    /**
     * Claims the channel's oldest due message until {@code lease}, unless one of its messages is claimed. The caller must
     * have locked the channel.
     */
    Optional<WebhookRows.ClaimedDelivery> claim(Tx tx, String channelId, Instant now, Instant lease) {
        return tx.first(
                """
                update farm."webhookDelivery" d set "nextAttemptAt" = ?::timestamptz, "leasedUntil" = ?::timestamptz
                where d."storeId" = ? and d.id = any(array(
                  select due.id from farm."webhookDelivery" due
                  where due."storeId" = ? and due."channelId" = ? and due.status = 'pending'
                    and due."nextAttemptAt" <= ?::timestamptz
                    and not exists (
                      select from farm."webhookDelivery" leased
                      where leased."storeId" = ? and leased."channelId" = ? and leased."leasedUntil" > ?::timestamptz)
                  order by due.sequence limit 1 for update skip locked))
                returning d.id, d.body::text, json_array_length(d.attempts)""",
                rows -> new WebhookRows.ClaimedDelivery(rows.getString(1), rows.getString(2), rows.getInt(3)),
                lease.toString(),
                lease.toString(),
                tx.store().value(),
                tx.store().value(),
                channelId,
                now.toString(),
                tx.store().value(),
                channelId,
                now.toString());
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

    /** Discards the waiting messages of channels. */
    void discard(Tx tx, Collection<String> channelIds) {
        tx.update("""
                update farm."webhookDelivery" set status = 'discarded', "nextAttemptAt" = null, "leasedUntil" = null, "updatedAt" = now()
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
