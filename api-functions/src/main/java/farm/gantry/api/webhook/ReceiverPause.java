package farm.gantry.api.webhook;

import farm.gantry.api.webhook.WebhookDeliveries.Attempted;
import farm.gantry.notification.WebhookDelivery.Attempt;
import farm.gantry.notification.WebhookDelivery.ErrorClass;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Until when a store's deliveries wait because the receiver asked for time or gave no answer. After it they go one at a time,
 * as probes, until one succeeds. While a probe is under way the pause is its lease, so that no process sends another.
 */
final class ReceiverPause {
    private static final Duration UNASKED = Duration.ofMinutes(1);
    static final Duration MAX_DURATION = Duration.ofHours(1);
    private static final Set<Integer> OVERLOADED = Set.of(429, 502, 503, 504);

    private ReceiverPause() {}

    /** The pause after the attempts; null when there is none. A probe counts unless the pause was changed since. */
    static @Nullable Instant after(@Nullable Instant pausedUntil, List<Attempted> attempts) {
        Instant until = pausedUntil;
        for (Attempted each : attempts) {
            Attempt attempt = each.sent().attempt();
            if (until != null && until.equals(each.probeUntil())) {
                until = attempt.succeeded() ? null : attempt.at();
            }
        }
        for (Attempted each : attempts) {
            if (asksForTime(each.sent().attempt())) {
                Instant asked =
                        each.sent().attempt().at().plus(pause(each.sent().retryAfter()));
                until = until == null || until.isBefore(asked) ? asked : until;
            }
        }
        return until;
    }

    private static boolean asksForTime(Attempt attempt) {
        return attempt.statusCode() == null
                ? attempt.errorClass() != ErrorClass.internal
                : OVERLOADED.contains(attempt.statusCode());
    }

    private static Duration pause(Duration retryAfter) {
        if (retryAfter.isZero()) {
            return UNASKED;
        }
        return retryAfter.compareTo(MAX_DURATION) < 0 ? retryAfter : MAX_DURATION;
    }
}
