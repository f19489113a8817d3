package farm.gantry.api.webhook;

import farm.gantry.StoreId;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.ExpiredRows;
import farm.gantry.api.database.Tx;
import farm.gantry.api.queue.Signal;
import farm.gantry.api.queue.WorkLease;
import farm.gantry.api.queue.WorkLoop;
import farm.gantry.notification.NotificationSetting;
import farm.gantry.notification.WebhookDelivery.Attempt;
import farm.gantry.notification.WebhookDelivery.Status;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Delivers events at least once, with retries; events of one entity are delivered in order unless one fails. Deliveries
 * to overloaded or unreachable receivers are paused, and webhooks that fail too often are disabled.
 */
@Singleton
public final class WebhookDeliveries {
    /** Longer than any delivery attempt. */
    private static final Duration LEASE = Duration.ofMinutes(1);

    private static final Duration SWEEP = Duration.ofSeconds(5);
    /** Maximum concurrent attempts per store across all processes; fewer than the failures that disable a webhook. */
    private static final int MAX_CONCURRENT = 8;

    private static final Duration FORGET_EVERY = Duration.ofHours(1);
    private static final Duration KEPT = Duration.ofDays(30);

    private final Database database;
    private final HeldDeliveries held;
    private final WebhookRows rows;
    private final ExpiredRows expired;
    private final WebhookFailures failures;
    private final Webhooks webhooks;
    private final WebhookSender sender;
    private final WorkLease lease;
    private final InstantSource clock;
    private final StoreThreads threads;

    /** Claimed deliveries and their webhook; for a single probe, its lease. */
    record Claim(
            List<WebhookRows.ClaimedDelivery> deliveries,
            @Nullable NotificationSetting webhook,
            @Nullable Instant probeUntil) {
        static final Claim NONE = new Claim(List.of(), null, null);
    }

    WebhookDeliveries(
            Database database,
            HeldDeliveries held,
            WebhookRows rows,
            ExpiredRows expired,
            WebhookFailures failures,
            Webhooks webhooks,
            WebhookSender sender,
            WorkLease lease,
            InstantSource clock) {
        this.database = database;
        this.held = held;
        this.rows = rows;
        this.expired = expired;
        this.failures = failures;
        this.webhooks = webhooks;
        this.sender = sender;
        this.lease = lease;
        this.clock = clock;
        this.threads = new StoreThreads("webhooks", webhooks.signal());
    }

    /** Starts delivering, and deleting old deliveries, on hosts that run between requests. */
    public List<WorkLoop> start() {
        return List.of(
                WorkLoop.start("webhooks", webhooks.signal(), SWEEP, lease, this::startDeliveries),
                WorkLoop.start("delivery-log", new Signal(), FORGET_EVERY, lease, this::deleteOld));
    }

    /** Wakes a function for every store with due deliveries, in case a wakeup was lost. */
    public void wakeDue() {
        database.findStores("stores_with_due_deliveries").forEach(store -> webhooks.wakeAt(store, clock.instant()));
    }

    /**
     * Delivers until nothing of the store is due; claims nothing after {@code until}. Wakes another function for the
     * rest, and for deliveries that would be left if this function were killed.
     */
    public void deliver(StoreId store, Instant until) throws InterruptedException {
        int attempts = deliver(store, () -> clock.instant().isBefore(until));
        Instant now = clock.instant();
        // Due deliveries that could not be claimed wait for another process's attempts, which it continues unless it
        // dies.
        Instant earliest = attempts == 0 && now.isBefore(until) ? now.plus(LEASE) : now;
        database.in(store, rows::nextAttempt)
                .ifPresent(due -> webhooks.wakeAt(store, due.isAfter(now) ? due : earliest));
    }

    /** Deletes finished deliveries of all stores after a month. */
    public void deleteOld() {
        expired.delete("webhookDelivery", clock.instant().minus(KEPT));
    }

    private void startDeliveries() {
        database.findStores("stores_with_due_deliveries").forEach(store -> threads.start(store, this::deliver));
    }

    /** Stops delivering; running attempts become due again when their lease ends. */
    @PreDestroy
    void close() {
        threads.close();
    }

    /** Delivers until nothing of the store is due; returns the number of attempts. */
    int deliver(StoreId store) throws InterruptedException {
        return deliver(store, () -> true);
    }

    private int deliver(StoreId store, BooleanSupplier mayClaim) throws InterruptedException {
        return DeliveryRounds.<AttemptResult>run((attempted, running) -> {
            Claim claim = recordAndClaim(store, attempted, mayClaim.getAsBoolean() ? MAX_CONCURRENT - running : 0);
            return claim.deliveries().stream()
                    .<Supplier<AttemptResult>>map(each -> () -> attempt(claim, each))
                    .toList();
        });
    }

    /** Sends a claimed delivery without recording it. */
    AttemptResult attempt(Claim claim, WebhookRows.ClaimedDelivery delivery) {
        NotificationSetting webhook = claim.webhook();
        if (webhook == null) {
            throw new IllegalStateException("a delivery was claimed without a webhook");
        }
        DeliveryClient.SendResult sent = sender.send(webhook, delivery.id(), delivery.body());
        return new AttemptResult(delivery, webhook.data(), sent, claim.probeUntil());
    }

    /**
     * Records attempts and claims due deliveries, at most {@code max}: none while the webhook is disabled or paused,
     * and a single probe after a pause.
     */
    Claim recordAndClaim(StoreId store, List<AttemptResult> attempted, int max) {
        Instant now = clock.instant();
        return database.in(store, tx -> {
            Optional<NotificationSetting> webhook = webhooks.lockWebhook(tx);
            boolean enabled = webhook.filter(NotificationSetting::enabled).isPresent();
            Instant pausedUntil = webhook.map(NotificationSetting::pausedUntil).orElse(null);
            if (!attempted.isEmpty()) {
                List<AttemptResult> ofThisReceiver = attempted.stream()
                        .filter(each -> webhook.filter(found -> found.data().equals(each.to()))
                                .isPresent())
                        .toList();
                enabled = webhook.isPresent()
                        && failures.isEnabledAfter(
                                tx,
                                webhook.get(),
                                ofThisReceiver.stream()
                                        .map(each -> each.sent().attempt())
                                        .toList());
                Instant before = pausedUntil;
                pausedUntil = ReceiverPause.after(before, ofThisReceiver);
                if (!Objects.equals(before, pausedUntil)) {
                    rows.pause(tx, pausedUntil);
                }
                boolean stays = enabled;
                rows.record(
                        tx, attempted.stream().map(each -> outcome(each, stays)).toList());
            }
            if (attempted.isEmpty()) {
                rows.discard(tx, now);
            }
            if (!enabled) {
                held.holdPending(tx);
                return Claim.NONE;
            }
            return claim(tx, webhook.orElseThrow(), pausedUntil, now, max);
        });
    }

    private Claim claim(Tx tx, NotificationSetting webhook, @Nullable Instant pausedUntil, Instant now, int max) {
        if (pausedUntil != null && pausedUntil.isAfter(now)) {
            return Claim.NONE;
        }
        Instant lease = now.plus(LEASE).truncatedTo(ChronoUnit.MILLIS);
        boolean isProbe = pausedUntil != null;
        List<WebhookRows.ClaimedDelivery> claimed =
                rows.claim(tx, now, lease, isProbe ? Math.min(max, 1) : max, MAX_CONCURRENT);
        if (isProbe && !claimed.isEmpty()) {
            rows.pause(tx, lease);
        }
        return new Claim(claimed, webhook, isProbe ? lease : null);
    }

    private WebhookRows.Outcome outcome(AttemptResult attempted, boolean enabled) {
        Attempt attempt = attempted.sent().attempt();
        int attempts = attempted.delivery().attempts() + 1;
        Status status;
        Instant next = null;
        if (attempt.succeeded()) {
            status = Status.delivered;
        } else if (attempts >= Backoff.MAX_ATTEMPTS) {
            status = Status.failed;
        } else if (enabled) {
            status = Status.pending;
            next = attempt.at().plus(Backoff.delay(attempts, attempted.sent().retryAfter()));
        } else {
            status = Status.held;
            next = attempt.at().plus(Webhooks.HELD);
        }
        return new WebhookRows.Outcome(attempted.delivery().id(), attempt, status, next);
    }
}
