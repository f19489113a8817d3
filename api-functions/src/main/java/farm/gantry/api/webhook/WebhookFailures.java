package farm.gantry.api.webhook;

import farm.gantry.api.database.Change;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.notification.NotificationSetting;
import farm.gantry.notification.WebhookDelivery.Attempt;
import farm.gantry.notification.WebhookDelivery.ErrorClass;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;

/**
 * Counts a webhook's failed attempts over a sliding day: the fifth warns, the tenth disables the webhook. Internal
 * errors do not count. A 410 response disables it at once.
 */
@Singleton
final class WebhookFailures {
    private static final int WARNING = 5;
    private static final int LIMIT = 10;
    private static final int GONE = 410;
    private static final Duration WINDOW = Duration.ofDays(1);

    private final Table<NotificationSetting> settings;
    private final WebhookRows rows;
    private final InstantSource clock;

    WebhookFailures(Tables tables, WebhookRows rows, InstantSource clock) {
        this.settings = tables.of(NotificationSetting.class);
        this.rows = rows;
        this.clock = clock;
    }

    /** Counts the failed attempts; returns whether the webhook is still enabled. */
    boolean isEnabledAfter(Tx tx, NotificationSetting webhook, List<Attempt> attempts) {
        List<Attempt> failed = attempts.stream()
                .filter(attempt -> !attempt.succeeded() && attempt.errorClass() != ErrorClass.internal)
                .toList();
        if (failed.isEmpty()) {
            return webhook.enabled();
        }
        Attempt last = failed.getLast();
        rows.addFailures(tx, null, failed.stream().map(Attempt::at).toList());
        int failures = rows.failuresSince(tx, null, last.at().minus(WINDOW));
        Change<NotificationSetting> change = failureCountChange(failures);
        boolean isGone = failed.stream().anyMatch(attempt -> Objects.equals(attempt.statusCode(), GONE));
        boolean disabled = webhook.enabled() && (isGone || failures >= LIMIT);
        if (disabled) {
            change.set(NotificationSetting::enabled, false);
            change.set(NotificationSetting::warning, null);
            change.set(
                    NotificationSetting::disabledReason,
                    isGone
                            ? "the receiver responded with 410 Gone"
                            : failures + " deliveries failed within 24 hours, the last with "
                                    + (last.error() == null ? "status " + last.statusCode() : last.error()));
        }
        settings.change(tx, webhook.id(), change);
        return webhook.enabled() && !disabled;
    }

    private static Change<NotificationSetting> failureCountChange(int failures) {
        String warning = failures >= WARNING && failures < LIMIT
                ? failures + " deliveries failed within 24 hours; at " + LIMIT + " the channel is disabled"
                : null;
        return new Change<NotificationSetting>()
                .set(NotificationSetting::failureCount24h, failures)
                .set(NotificationSetting::warning, warning);
    }

    /** Recounts without failures that are now older than a day. */
    void recount(Tx tx, NotificationSetting webhook) {
        int failures = rows.failuresSince(tx, null, clock.instant().minus(WINDOW));
        if (failures != webhook.failureCount24h()) {
            settings.change(tx, webhook.id(), failureCountChange(failures));
        }
    }

    /** Resets the count. */
    void reset(Tx tx) {
        rows.failuresSince(tx, null, clock.instant());
    }
}
