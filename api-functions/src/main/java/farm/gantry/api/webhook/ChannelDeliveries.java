package farm.gantry.api.webhook;

import farm.gantry.StoreId;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.queue.WorkLease;
import farm.gantry.api.queue.WorkLoop;
import farm.gantry.notification.NotificationChannel;
import farm.gantry.notification.WebhookDelivery.Attempt;
import farm.gantry.notification.WebhookDelivery.Status;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Delivers messages to notification channels at least once, with retries: one at a time per channel, so that a slow
 * service delays neither other channels nor the webhook. Messages that were collected during quiet hours are sent as one. A sent message is
 * updated once when its fault ends, without retries. Channels that fail too often are disabled.
 */
@Singleton
public final class ChannelDeliveries {
    /** Maximum number of attempts, the last about two and a half hours after the event; older news mislead. */
    private static final int MAX_ATTEMPTS = 5;
    /** Longer than any attempt. */
    private static final Duration LEASE = Duration.ofMinutes(1);

    private static final Duration SWEEP = Duration.ofSeconds(5);

    private final Database database;
    private final Table<NotificationChannel> channels;
    private final ChannelRows rows;
    private final ChannelStatus statuses;
    private final ChannelOutbox outbox;
    private final ChannelSender sender;
    private final WorkLease lease;
    private final InstantSource clock;
    private final StoreThreads threads;

    /** Claimed messages that are sent as one, their channel and, for a probe, its lease. */
    record Claim(
            StoreId store,
            NotificationChannel channel,
            List<ChannelRows.ClaimedMessage> messages,
            @Nullable Instant probeUntil) {
        boolean isUpdate() {
            return messages.getFirst().isUpdate();
        }
    }

    /** A finished attempt at the claimed messages. */
    record ChannelAttempt(Claim claim, ChannelSender.Sent sent) {
        AttemptResult result() {
            return new AttemptResult(
                    claim.messages().getLast().delivery(),
                    claim.channel().settings(),
                    sent.result(),
                    claim.probeUntil());
        }

        /** Whether the attempt tells how the channel works. A sent message that cannot be updated does not. */
        boolean counts() {
            return !claim.isUpdate()
                    || claim.probeUntil() != null
                    || sent.result().attempt().succeeded()
                    || ReceiverPause.asksForPause(sent.result().attempt());
        }
    }

    ChannelDeliveries(
            Database database,
            Tables tables,
            ChannelRows rows,
            ChannelStatus statuses,
            ChannelOutbox outbox,
            ChannelSender sender,
            WorkLease lease,
            InstantSource clock) {
        this.database = database;
        this.channels = tables.of(NotificationChannel.class);
        this.rows = rows;
        this.statuses = statuses;
        this.outbox = outbox;
        this.sender = sender;
        this.lease = lease;
        this.clock = clock;
        this.threads = new StoreThreads("notification-channels", outbox.signal());
    }

    /** Starts delivering on hosts that run between requests. */
    public WorkLoop start() {
        return WorkLoop.start("notification-channels", outbox.signal(), SWEEP, lease, this::startDeliveries);
    }

    private void startDeliveries() {
        database.findStores("stores_with_due_messages").forEach(store -> threads.start(store, this::deliver));
    }

    /** Stops delivering; running attempts become due again when their lease ends. */
    @PreDestroy
    void close() {
        threads.close();
    }

    /** Wakes a function for every store with due messages, in case a wakeup was lost. */
    public void wakeDue() {
        database.findStores("stores_with_due_messages").forEach(store -> outbox.wakeAt(store, clock.instant()));
    }

    /**
     * Delivers until nothing of the store is due; claims nothing after {@code until}. Wakes another function for the
     * rest, and for messages that would be left if this function were killed.
     */
    public void deliver(StoreId store, Instant until) throws InterruptedException {
        int attempts = deliver(store, () -> clock.instant().isBefore(until));
        Instant now = clock.instant();
        // Due messages that could not be claimed wait for another process's attempts.
        Instant earliest = attempts == 0 && now.isBefore(until) ? now.plus(LEASE) : now;
        database.in(store, rows::nextAttempt).ifPresent(due -> outbox.wakeAt(store, due.isAfter(now) ? due : earliest));
    }

    /** Delivers until nothing of the store is due; returns the number of attempts. */
    int deliver(StoreId store) throws InterruptedException {
        return deliver(store, () -> true);
    }

    private int deliver(StoreId store, BooleanSupplier mayClaim) throws InterruptedException {
        return DeliveryRounds.<ChannelAttempt>run(
                (attempted, _) -> recordAndClaim(store, attempted, mayClaim.getAsBoolean()).stream()
                        .<Supplier<ChannelAttempt>>map(claim -> () -> attempt(claim))
                        .toList());
    }

    /** Sends a claimed message without recording it. */
    ChannelAttempt attempt(Claim claim) {
        return new ChannelAttempt(
                claim,
                claim.isUpdate()
                        ? sender.sendUpdate(claim.channel(), claim.messages().getFirst())
                        : sender.send(claim.store(), claim.channel(), claim.messages()));
    }

    /** Records attempts and claims at most one due message, or those of a digest, per channel. */
    List<Claim> recordAndClaim(StoreId store, List<ChannelAttempt> attempted, boolean mayClaim) {
        Instant now = clock.instant();
        Map<String, List<ChannelAttempt>> byChannel = attempted.stream()
                .collect(Collectors.groupingBy(each -> each.claim().channel().id()));
        return database.in(store, tx -> {
            TreeSet<String> ids = new TreeSet<>(byChannel.keySet());
            ids.addAll(rows.dueChannels(tx, now));
            Map<String, NotificationChannel> locked = channels.lockAll(tx, ids);
            List<Claim> claims = new ArrayList<>();
            List<String> closed = new ArrayList<>();
            for (String id : ids) {
                Optional<NotificationChannel> open = Optional.ofNullable(locked.get(id))
                        .map(channel -> record(tx, channel, byChannel.getOrDefault(id, List.of())))
                        .filter(NotificationChannel::enabled);
                if (open.isEmpty()) {
                    closed.add(id);
                } else if (mayClaim) {
                    claim(tx, open.get(), now).ifPresent(claims::add);
                }
            }
            if (!closed.isEmpty()) {
                rows.discard(tx, closed);
            }
            return claims;
        });
    }

    /** Records attempts at a channel; returns its state after them. */
    private NotificationChannel record(Tx tx, NotificationChannel channel, List<ChannelAttempt> attempted) {
        if (attempted.isEmpty()) {
            return channel;
        }
        List<ChannelRows.Outcome> outcomes = new ArrayList<>();
        List<AttemptResult> withTheseSettings = new ArrayList<>();
        for (ChannelAttempt each : attempted) {
            boolean isCurrent = each.claim().channel().settings().equals(channel.settings());
            outcomes.addAll(outcomes(each, isCurrent ? each.sent().reference() : null));
            if (isCurrent && each.counts()) {
                withTheseSettings.add(each.result());
            }
        }
        rows.record(tx, outcomes);
        return withTheseSettings.isEmpty() ? channel : statuses.update(tx, channel, withTheseSettings);
    }

    /** Returns the outcomes of the messages of an attempt. Those that are retried stay together; an update is not retried. */
    private static List<ChannelRows.Outcome> outcomes(ChannelAttempt attempted, @Nullable String reference) {
        Attempt attempt = attempted.sent().result().attempt();
        List<ChannelRows.ClaimedMessage> sent = attempted.claim().messages();
        int attempts = Math.min(sent.getFirst().delivery().attempts() + 1, MAX_ATTEMPTS - 1);
        Instant next = attempt.at()
                .plus(Backoff.delay(attempts, attempted.sent().result().retryAfter()));
        return sent.stream()
                .map(message -> {
                    WebhookRows.ClaimedDelivery delivery = message.delivery();
                    Status status = attempt.succeeded() || message.isUpdate()
                            ? Status.delivered
                            : delivery.attempts() + 1 >= MAX_ATTEMPTS ? Status.failed : Status.pending;
                    return new ChannelRows.Outcome(
                            delivery.id(),
                            message.resolvedAfter() != null,
                            attempt,
                            status,
                            status == Status.pending ? next : null,
                            reference);
                })
                .toList();
    }

    /** Claims nothing during a pause, and a single probe after it. */
    private Optional<Claim> claim(Tx tx, NotificationChannel channel, Instant now) {
        Instant pausedUntil = channel.pausedUntil();
        if (pausedUntil != null && pausedUntil.isAfter(now)) {
            return Optional.empty();
        }
        Instant lease = now.plus(LEASE).truncatedTo(ChronoUnit.MILLIS);
        Instant probeUntil = pausedUntil == null ? null : lease;
        List<ChannelRows.ClaimedMessage> claimed = rows.claim(tx, channel.id(), now, lease);
        if (claimed.isEmpty()) {
            return Optional.empty();
        }
        if (!Objects.equals(pausedUntil, probeUntil)) {
            statuses.pause(tx, channel.id(), probeUntil);
        }
        return Optional.of(new Claim(tx.store(), channel, claimed, probeUntil));
    }
}
