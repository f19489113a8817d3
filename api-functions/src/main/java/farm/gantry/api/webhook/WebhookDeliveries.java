package farm.gantry.api.webhook;

import farm.gantry.CrashPoint;
import farm.gantry.StoreId;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Tx;
import farm.gantry.api.queue.Loop;
import farm.gantry.api.queue.Signal;
import farm.gantry.notification.NotificationSetting;
import farm.gantry.notification.WebhookDelivery.Attempt;
import farm.gantry.notification.WebhookDelivery.Status;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers events: at least once, with retries, those about one entity in their order as long as each succeeds. Receivers that
 * are overloaded or out of reach are left alone for a while, and webhooks that fail too often are disabled.
 */
@Singleton
public final class WebhookDeliveries {
    private static final Logger LOG = LoggerFactory.getLogger(WebhookDeliveries.class);
    private static final List<Duration> RETRIES = List.of(
            Duration.ofMinutes(1),
            Duration.ofMinutes(5),
            Duration.ofMinutes(30),
            Duration.ofHours(2),
            Duration.ofHours(5),
            Duration.ofHours(10));
    private static final double JITTER = 0.2;
    /** Longer than any delivery takes. */
    private static final Duration LEASE = Duration.ofMinutes(1);

    private static final Duration SWEEP = Duration.ofSeconds(5);
    /** How often new events of a store are claimed while attempts are under way. */
    private static final Duration CLAIM_EVERY = Duration.ofMillis(250);

    /** Attempts of a store, in all processes: fewer than the failures that disable its webhook. */
    private static final int AT_ONCE = 8;

    private static final Duration FORGET_EVERY = Duration.ofHours(1);
    private static final Duration KEPT = Duration.ofDays(30);

    private final Database database;
    private final HeldDeliveries held;
    private final WebhookRows rows;
    private final WebhookFailures failures;
    private final Webhooks webhooks;
    private final WebhookSender sender;
    private final InstantSource clock;
    private final Map<StoreId, Thread> served = new ConcurrentHashMap<>();

    /** A delivery that was attempted, where it went, and the lease of a probe. */
    record Attempted(
            WebhookRows.Claimed delivery,
            NotificationSetting.Receiver to,
            WebhookSender.Sent sent,
            @Nullable Instant probeUntil) {}

    /** Deliveries that were claimed, where they go, and the lease if there is one alone, as a probe. */
    record Claim(
            List<WebhookRows.Claimed> deliveries,
            @Nullable NotificationSetting webhook,
            @Nullable Instant probeUntil) {
        static final Claim NONE = new Claim(List.of(), null, null);
    }

    WebhookDeliveries(
            Database database,
            HeldDeliveries held,
            WebhookRows rows,
            WebhookFailures failures,
            Webhooks webhooks,
            WebhookSender sender,
            InstantSource clock) {
        this.database = database;
        this.held = held;
        this.rows = rows;
        this.failures = failures;
        this.webhooks = webhooks;
        this.sender = sender;
        this.clock = clock;
    }

    /** Starts delivering and forgetting what was delivered, on hosts that live between requests. */
    public List<Loop> start() {
        return List.of(
                Loop.start("webhooks", webhooks.signal(), SWEEP, this::startDeliveries),
                Loop.start("delivery-log", new Signal(), FORGET_EVERY, this::forget));
    }

    /** Has functions woken for all stores with due deliveries, for what a lost wakeup was for. */
    public void wakeDue() {
        database.stores("stores_with_due_deliveries").forEach(store -> webhooks.wakeAt(store, clock.instant()));
    }

    /**
     * Delivers what is due of the store until nothing is, claims nothing more after {@code until}, and has a function
     * woken for the rest, or for what this one would leave behind if it were killed.
     */
    public void deliver(StoreId store, Instant until) throws InterruptedException {
        int attempts = deliver(store, () -> clock.instant().isBefore(until));
        Instant now = clock.instant();
        // What is due and could not be claimed waits for attempts of another, which goes on with it unless it dies.
        Instant earliest = attempts == 0 && now.isBefore(until) ? now.plus(LEASE) : now;
        database.in(store, rows::nextAttempt)
                .ifPresent(due -> webhooks.wakeAt(store, due.isAfter(now) ? due : earliest));
    }

    /** Deletes finished deliveries of all stores after a month. */
    public void forget() {
        rows.forget(clock.instant().minus(KEPT));
    }

    /** Starts a thread for each store with due deliveries, so that a slow receiver delays only its own store. */
    private void startDeliveries() {
        for (StoreId store : database.stores("stores_with_due_deliveries")) {
            Thread thread = Thread.ofVirtual().name("webhook-" + store).unstarted(() -> serve(store));
            if (served.putIfAbsent(store, thread) == null) {
                thread.start();
            }
        }
    }

    private void serve(StoreId store) {
        boolean mayHaveMore = false;
        try {
            mayHaveMore = deliver(store) > 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            if (!Thread.currentThread().isInterrupted()) {
                LOG.warn("deliveries of store {} failed and are tried again", store, e);
            }
        } finally {
            served.remove(store);
            if (mayHaveMore) {
                webhooks.signal().signal();
            }
        }
    }

    /** Stops delivering; what is under way is due again when its lease ends. */
    @PreDestroy
    void close() {
        served.values().forEach(Thread::interrupt);
        join(served.values());
    }

    private static void join(Collection<Thread> threads) {
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Delivers until nothing of the store is due; returns the number of attempts. */
    int deliver(StoreId store) throws InterruptedException {
        return deliver(store, () -> true);
    }

    private int deliver(StoreId store, BooleanSupplier mayClaim) throws InterruptedException {
        BlockingQueue<Attempted> finished = new LinkedBlockingQueue<>();
        int attempts = 0;
        int underWay = 0;
        List<Attempted> attempted = List.of();
        do {
            Claim claim = recordAndClaim(store, attempted, mayClaim.getAsBoolean() ? AT_ONCE - underWay : 0);
            if (!claim.deliveries().isEmpty()) {
                CrashPoint.reached("claimed");
            }
            claim.deliveries().forEach(each -> Thread.ofVirtual().start(() -> finished.add(attempt(claim, each))));
            underWay += claim.deliveries().size();
            attempted = underWay == 0 ? List.of() : next(finished);
            if (!attempted.isEmpty()) {
                CrashPoint.reached("attempted");
            }
            underWay -= attempted.size();
            attempts += attempted.size();
        } while (underWay > 0 || !attempted.isEmpty());
        return attempts;
    }

    /** All that have finished, after waiting a moment for the first. */
    private static List<Attempted> next(BlockingQueue<Attempted> finished) throws InterruptedException {
        List<Attempted> attempted = new ArrayList<>();
        Attempted first = finished.poll(CLAIM_EVERY.toMillis(), TimeUnit.MILLISECONDS);
        if (first != null) {
            attempted.add(first);
            finished.drainTo(attempted);
        }
        return attempted;
    }

    /** Sends a claimed delivery without recording it. */
    Attempted attempt(Claim claim, WebhookRows.Claimed delivery) {
        NotificationSetting webhook = claim.webhook();
        if (webhook == null) {
            throw new IllegalStateException("a delivery was claimed without a webhook");
        }
        WebhookSender.Sent sent = sender.send(webhook, delivery.id(), delivery.body());
        return new Attempted(delivery, webhook.data(), sent, claim.probeUntil());
    }

    /**
     * Records attempts and claims due deliveries, at most {@code most}; none while the webhook is disabled or the receiver left
     * alone, and one as a probe after that.
     */
    Claim recordAndClaim(StoreId store, List<Attempted> attempted, int most) {
        Instant now = clock.instant();
        return database.in(store, tx -> {
            Optional<NotificationSetting> webhook = webhooks.lockedWebhook(tx);
            boolean enabled = webhook.filter(NotificationSetting::enabled).isPresent();
            Instant pausedUntil = webhook.map(NotificationSetting::pausedUntil).orElse(null);
            if (!attempted.isEmpty()) {
                List<Attempted> ofThisReceiver = attempted.stream()
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
            return claim(tx, webhook.orElseThrow(), pausedUntil, now, most);
        });
    }

    private Claim claim(Tx tx, NotificationSetting webhook, @Nullable Instant pausedUntil, Instant now, int most) {
        if (pausedUntil != null && pausedUntil.isAfter(now)) {
            return Claim.NONE;
        }
        Instant lease = now.plus(LEASE).truncatedTo(ChronoUnit.MILLIS);
        boolean isProbe = pausedUntil != null;
        List<WebhookRows.Claimed> claimed = rows.claim(tx, now, lease, isProbe ? Math.min(most, 1) : most, AT_ONCE);
        if (isProbe && !claimed.isEmpty()) {
            rows.pause(tx, lease);
        }
        return new Claim(claimed, webhook, isProbe ? lease : null);
    }

    private WebhookRows.Outcome outcome(Attempted attempted, boolean enabled) {
        Attempt attempt = attempted.sent().attempt();
        int attempts = attempted.delivery().attempts() + 1;
        Status status;
        Instant next = null;
        if (attempt.succeeded()) {
            status = Status.delivered;
        } else if (attempts > RETRIES.size()) {
            status = Status.failed;
        } else if (enabled) {
            status = Status.pending;
            next = attempt.at().plus(pause(attempts, attempted.sent().retryAfter()));
        } else {
            status = Status.held;
            next = attempt.at().plus(Webhooks.HELD);
        }
        return new WebhookRows.Outcome(attempted.delivery().id(), attempt, status, next);
    }

    /** Until the next attempt: at least what the receiver asks for, of which an hour counts. */
    private static Duration pause(int attempts, Duration retryAfter) {
        Duration wait = RETRIES.get(attempts - 1);
        long jitter = (long) (wait.toMillis() * RandomGenerator.getDefault().nextDouble(-JITTER, JITTER));
        Duration jittered = wait.plusMillis(jitter);
        Duration asked = retryAfter.compareTo(ReceiverPause.MAX_DURATION) < 0 ? retryAfter : ReceiverPause.MAX_DURATION;
        return jittered.compareTo(asked) < 0 ? asked : jittered;
    }
}
