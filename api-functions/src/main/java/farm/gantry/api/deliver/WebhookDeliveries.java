package farm.gantry.api.deliver;

import farm.gantry.Id;
import farm.gantry.StoreId;
import farm.gantry.api.queue.Loop;
import farm.gantry.api.store.Database;
import farm.gantry.api.store.Secrets;
import farm.gantry.api.store.Table;
import farm.gantry.api.store.Tables;
import farm.gantry.api.store.Tx;
import farm.gantry.api.store.WebhookRows;
import farm.gantry.notification.NotificationSetting;
import farm.gantry.notification.WebhookDelivery;
import farm.gantry.notification.WebhookDelivery.Attempt;
import farm.gantry.notification.WebhookDelivery.Status;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Delivers events: at least once, with retries, and disables webhooks that fail too often. */
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
    private static final int FAILURES_THAT_DISABLE = 10;
    private static final Duration FAILURES_COUNT_FOR = Duration.ofDays(1);
    /** Longer than any delivery takes. */
    private static final Duration LEASE = Duration.ofMinutes(1);

    private static final Duration SWEEP = Duration.ofSeconds(5);
    private static final int AT_ONCE = 10;

    private final Database database;
    private final Table<NotificationSetting> settings;
    private final Table<WebhookDelivery> deliveries;
    private final WebhookRows rows;
    private final Webhooks webhooks;
    private final Secrets secrets;
    private final PinnedHttpPost post;
    private final InstantSource clock;
    private final Set<StoreId> served = ConcurrentHashMap.newKeySet();

    WebhookDeliveries(
            Database database,
            Tables tables,
            WebhookRows rows,
            Webhooks webhooks,
            Secrets secrets,
            PinnedHttpPost post,
            InstantSource clock) {
        this.database = database;
        this.settings = tables.of(NotificationSetting.class);
        this.deliveries = tables.of(WebhookDelivery.class);
        this.rows = rows;
        this.webhooks = webhooks;
        this.secrets = secrets;
        this.post = post;
        this.clock = clock;
    }

    /** Starts delivering, on hosts that live between requests. */
    public Loop start() {
        return Loop.start("webhooks", webhooks.signal(), SWEEP, this::startDeliveries);
    }

    /** Delivers what is due and returns when done, on hosts that are invoked periodically. */
    public void deliverDue() {
        startDeliveries().forEach(WebhookDeliveries::join);
    }

    /** Starts a thread for each store with due deliveries, so that a slow receiver delays only its own store. */
    private List<Thread> startDeliveries() {
        List<Thread> threads = new ArrayList<>();
        for (StoreId store : database.stores("stores_with_due_deliveries")) {
            if (served.add(store)) {
                threads.add(Thread.ofVirtual().name("webhook-" + store).start(() -> {
                    try {
                        while (deliver(store) > 0) {
                            LOG.debug("store {} may have more", store);
                        }
                    } catch (RuntimeException e) {
                        LOG.warn("deliveries of store {} failed and are tried again", store, e);
                    } finally {
                        served.remove(store);
                    }
                }));
            }
        }
        return threads;
    }

    /** Delivers the next batch of a store; returns its size. */
    int deliver(StoreId store) {
        List<Thread> tries = new ArrayList<>();
        claim(store)
                .forEach((claimed, webhook) ->
                        tries.add(Thread.ofVirtual().start(() -> tryOnce(store, claimed, webhook))));
        tries.forEach(WebhookDeliveries::join);
        return tries.size();
    }

    private void tryOnce(StoreId store, WebhookRows.Claimed claimed, NotificationSetting webhook) {
        try {
            recordAttempt(store, claimed, attempt(webhook, claimed.id(), claimed.body()));
        } catch (RuntimeException e) {
            LOG.warn("how delivery {} went could not be kept; it is tried again", claimed.id(), e);
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Claims due deliveries; none while the webhook is disabled. */
    Map<WebhookRows.Claimed, NotificationSetting> claim(StoreId store) {
        Instant now = clock.instant();
        return database.in(store, tx -> {
            Map<WebhookRows.Claimed, NotificationSetting> claimed = new LinkedHashMap<>();
            Optional<NotificationSetting> webhook = webhooks.lockedWebhook(tx);
            rows.discard(tx, now);
            if (webhook.filter(NotificationSetting::enabled).isPresent()) {
                rows.claim(tx, now, now.plus(LEASE), AT_ONCE).forEach(each -> claimed.put(each, webhook.get()));
            } else {
                rows.changeStatus(tx, Status.pending, Status.held, now.plus(Webhooks.HELD));
            }
            return claimed;
        });
    }

    /** Sends one attempt without recording it. */
    Attempt attempt(NotificationSetting webhook, String id, String body) {
        Instant at = clock.instant();
        long started = System.nanoTime();
        Integer status = null;
        String error = null;
        try {
            Map<String, String> headers = new LinkedHashMap<>();
            headers.put("Content-Type", "application/json");
            headers.put("User-Agent", "Gantry-Webhooks");
            headers.put("X-API-Key", secrets.open(webhook.data().apiKey()));
            headers.put("webhook-id", id);
            headers.put("webhook-timestamp", Long.toString(at.getEpochSecond()));
            headers.put(
                    "webhook-signature",
                    WebhookSignature.of(secrets.open(webhook.data().signingSecret()), id, at.getEpochSecond(), body));
            status = post.send(URI.create(webhook.data().webhookUrl()), headers, body.getBytes(StandardCharsets.UTF_8));
        } catch (Throwable e) { // what is not counted would be tried for ever
            error = reason(e);
            if (!(e instanceof IOException)) {
                LOG.error("delivery {} failed in a way that is not the receiver's", id, e);
            }
        }
        return new Attempt(
                at, status, error, Duration.ofNanos(System.nanoTime() - started).toMillis());
    }

    private static String reason(Throwable e) {
        String kind = e.getClass().getSimpleName().replace("Exception", "");
        return e.getMessage() == null ? kind : kind + ": " + e.getMessage();
    }

    /** Sends a test event and returns the outcome, without recording it. */
    Attempt test(NotificationSetting webhook) {
        return attempt(webhook, Id.next(), webhooks.testBody());
    }

    /** Records an attempt and schedules the next or disables the webhook. */
    void recordAttempt(StoreId store, WebhookRows.Claimed claimed, Attempt attempt) {
        database.in(store, tx -> {
            Optional<NotificationSetting> webhook = webhooks.lockedWebhook(tx);
            deliveries.lock(tx, claimed.id()).ifPresent(delivery -> {
                List<Attempt> attempts = new ArrayList<>(delivery.attempts());
                attempts.add(attempt);
                boolean enabled = webhook.filter(NotificationSetting::enabled).isPresent();
                if (!attempt.succeeded() && webhook.isPresent()) {
                    enabled = countFailure(tx, webhook.get(), attempt);
                }
                change(tx, delivery, attempts, attempt, enabled);
            });
            return claimed;
        });
    }

    private void change(Tx tx, WebhookDelivery delivery, List<Attempt> attempts, Attempt last, boolean enabled) {
        Status status;
        Instant next = null;
        if (last.succeeded()) {
            status = Status.delivered;
        } else if (attempts.size() > RETRIES.size()) {
            status = Status.failed;
        } else if (enabled) {
            status = Status.pending;
            next = last.at().plus(jittered(RETRIES.get(attempts.size() - 1)));
        } else {
            status = Status.held;
            next = last.at().plus(Webhooks.HELD);
        }
        Map<String, @Nullable Object> changes = new HashMap<>();
        changes.put("attempts", attempts);
        changes.put("status", status);
        changes.put("nextAttemptAt", next);
        deliveries.change(tx, delivery.id(), Map.of(), changes);
    }

    private static Duration jittered(Duration wait) {
        return wait.plus(Duration.ofMillis(
                (long) (wait.toMillis() * RandomGenerator.getDefault().nextDouble(-JITTER, JITTER))));
    }

    /** Whether the webhook is still enabled. */
    private boolean countFailure(Tx tx, NotificationSetting webhook, Attempt attempt) {
        rows.addFailure(tx, attempt.at());
        int failures = rows.failuresSince(tx, attempt.at().minus(FAILURES_COUNT_FOR));
        Map<String, Object> changes = new HashMap<>(Map.of("failureCount24h", failures));
        boolean disabled = webhook.enabled() && failures >= FAILURES_THAT_DISABLE;
        if (disabled) {
            changes.put("enabled", false);
            changes.put(
                    "disabledReason",
                    failures + " deliveries failed within 24 hours, the last with "
                            + (attempt.error() == null ? "status " + attempt.statusCode() : attempt.error()));
            rows.changeStatus(tx, Status.pending, Status.held, attempt.at().plus(Webhooks.HELD));
        }
        settings.change(tx, webhook.id(), Map.of(), changes);
        return webhook.enabled() && !disabled;
    }

    /** Recounts the failures of the webhook. */
    void recountFailures(Tx tx, NotificationSetting webhook) {
        int failures = rows.failuresSince(tx, clock.instant().minus(FAILURES_COUNT_FOR));
        if (failures != webhook.failureCount24h()) {
            settings.change(tx, webhook.id(), Map.of(), Map.of("failureCount24h", failures));
        }
    }

    /** Makes held deliveries due and resets the failures. */
    void resume(Tx tx) {
        rows.failuresSince(tx, clock.instant());
        rows.changeStatus(tx, Status.held, Status.pending, clock.instant());
        tx.afterCommit(webhooks.signal()::signal);
    }

    /** Holds pending deliveries until the webhook is enabled, at most three days. */
    void holdPending(Tx tx) {
        rows.changeStatus(tx, Status.pending, Status.held, clock.instant().plus(Webhooks.HELD));
    }

    /** Makes a delivery due again, whatever its status. */
    void redeliver(Tx tx, WebhookDelivery delivery, boolean enabled) {
        Instant now = clock.instant();
        Map<String, Object> changes = Map.of(
                "status", enabled ? Status.pending : Status.held,
                "nextAttemptAt", enabled ? now : now.plus(Webhooks.HELD));
        deliveries.change(tx, delivery.id(), Map.of(), changes);
        tx.afterCommit(webhooks.signal()::signal);
    }
}
