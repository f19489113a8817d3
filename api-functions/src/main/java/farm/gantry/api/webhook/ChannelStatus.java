package farm.gantry.api.webhook;

import farm.gantry.api.database.Change;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.notification.ChannelService;
import farm.gantry.notification.NotificationChannel;
import farm.gantry.notification.WebhookDelivery.Attempt;
import farm.gantry.notification.WebhookDelivery.ErrorClass;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the status of notification channels: the last success or error, the pause, and the failures since the last success
 * within a day. The tenth failure disables a channel, as does a 410 response. Internal errors do not count.
 */
@Singleton
final class ChannelStatus {
    private static final int LIMIT = 10;
    private static final int GONE = 410;
    private static final int MAX_BODY_LENGTH = 200;
    private static final Duration WINDOW = Duration.ofDays(1);

    private final Table<NotificationChannel> channels;
    private final WebhookRows rows;

    ChannelStatus(Tables tables, WebhookRows rows) {
        this.channels = tables.of(NotificationChannel.class);
        this.rows = rows;
    }

    /** Updates the locked channel after attempts with its settings; returns its new state. */
    NotificationChannel update(Tx tx, NotificationChannel channel, List<AttemptResult> results) {
        List<Attempt> attempts =
                results.stream().map(each -> each.sent().attempt()).toList();
        List<Attempt> failed = attempts.stream()
                .filter(attempt -> !attempt.succeeded() && attempt.errorClass() != ErrorClass.internal)
                .toList();
        Attempt last = attempts.getLast();
        rows.addFailures(tx, channel.id(), failed.stream().map(Attempt::at).toList());
        Instant since = attempts.stream()
                .filter(Attempt::succeeded)
                .map(Attempt::at)
                .max(Comparator.naturalOrder())
                .orElse(last.at().minus(WINDOW));
        int failures = rows.failuresSince(tx, channel.id(), since);
        Change<NotificationChannel> change = new Change<NotificationChannel>()
                .set(NotificationChannel::failureCount, failures)
                .set(NotificationChannel::pausedUntil, ReceiverPause.after(channel.pausedUntil(), results))
                .set(NotificationChannel::lastError, last.succeeded() ? null : describe(channel.kind(), last));
        attempts.stream()
                .filter(Attempt::succeeded)
                .forEach(attempt -> change.set(NotificationChannel::lastSentAt, attempt.at()));
        boolean isGone = failed.stream().anyMatch(attempt -> isStatus(attempt, GONE));
        if (channel.enabled() && !failed.isEmpty() && (isGone || failures >= LIMIT)) {
            change.set(NotificationChannel::enabled, false);
            change.set(
                    NotificationChannel::lastError,
                    (isGone
                                    ? "The channel was disabled, because the service no longer accepts its messages. "
                                    : "The channel was disabled, because " + failures
                                            + " attempts failed in succession within 24 hours. ")
                            + describe(channel.kind(), failed.getLast()));
        }
        channels.change(tx, channel.id(), change);
        return Change.applied(channel, change);
    }

    /** Sets or ends the pause of a locked channel. */
    void pause(Tx tx, String channelId, @Nullable Instant until) {
        channels.change(tx, channelId, new Change<NotificationChannel>().set(NotificationChannel::pausedUntil, until));
    }

    /** Describes a failed attempt, and names the setting to check if the service did not accept the credentials. */
    static String describe(NotificationChannel.Kind kind, Attempt failed) {
        if (failed.statusCode() == null) {
            return "Sending to " + kind + " failed: " + failed.error() + ".";
        }
        String body = failed.responseBody() == null ? "" : failed.responseBody().strip();
        String excerpt = body.isEmpty()
                ? ""
                : ": "
                        + body.substring(0, Math.min(body.length(), MAX_BODY_LENGTH))
                                .replaceAll("\\s+", " ");
        ChannelService service = ChannelService.of(kind);
        String remedy = service.refusesCredentials(failed.statusCode()) ? " Check " + service.credentials() + "." : "";
        return kind + " responded with status " + failed.statusCode() + excerpt + "." + remedy;
    }

    private static boolean isStatus(Attempt attempt, int status) {
        return attempt.statusCode() != null && attempt.statusCode() == status;
    }
}
