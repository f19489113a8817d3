package farm.gantry.api.webhook;

import farm.gantry.api.database.Change;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.notification.WebhookDelivery;
import farm.gantry.notification.WebhookDelivery.Status;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Holds deliveries while a webhook is disabled, and later releases or discards them. */
@Singleton
final class HeldDeliveries {
    /** Later than any event. */
    private static final Instant END = Instant.parse("9999-12-31T23:59:59Z");

    private final Table<WebhookDelivery> deliveries;
    private final WebhookRows rows;
    private final Webhooks webhooks;
    private final InstantSource clock;

    HeldDeliveries(Tables tables, WebhookRows rows, Webhooks webhooks, InstantSource clock) {
        this.deliveries = tables.of(WebhookDelivery.class);
        this.rows = rows;
        this.webhooks = webhooks;
        this.clock = clock;
    }

    /** Holds pending deliveries until the webhook is enabled, for at most three days. */
    void holdPending(Tx tx) {
        rows.holdPending(tx, clock.instant().plus(Webhooks.HELD));
    }

    /**
     * Makes deliveries due immediately, regardless of the receiver's Retry-After, or held while the webhook is
     * disabled; returns their number.
     */
    int replay(Tx tx, boolean enabled, Set<Status> statuses, @Nullable Instant from, @Nullable Instant to) {
        Instant now = clock.instant();
        int replayed = rows.replay(
                tx,
                statuses,
                from == null ? Instant.EPOCH : from,
                to == null ? END : to,
                enabled ? Status.pending : Status.held,
                enabled ? now : now.plus(Webhooks.HELD));
        rows.endPause(tx, now);
        webhooks.wakeAfterCommit(tx);
        return replayed;
    }

    /** Discards held deliveries; returns their number. */
    int discard(Tx tx, @Nullable Instant from, @Nullable Instant to) {
        return rows.discardHeld(tx, from == null ? Instant.EPOCH : from, to == null ? END : to);
    }

    /** Makes a delivery due immediately, regardless of its status and the receiver's Retry-After. */
    void redeliver(Tx tx, WebhookDelivery delivery, boolean enabled) {
        Instant now = clock.instant();
        Change<WebhookDelivery> due = new Change<WebhookDelivery>()
                .set(WebhookDelivery::status, enabled ? Status.pending : Status.held)
                .set(WebhookDelivery::nextAttemptAt, enabled ? now : now.plus(Webhooks.HELD));
        deliveries.change(tx, delivery.id(), due);
        rows.endPause(tx, now);
        webhooks.wakeAfterCommit(tx);
    }
}
