package farm.gantry.api.webhook;

import farm.gantry.notification.WebhookDelivery.Attempt;
import farm.gantry.notification.WebhookDelivery.ErrorClass;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Time until which a store's deliveries are paused because the receiver asked for it or did not respond. Afterwards
 * deliveries are sent one at a time, as probes, until one succeeds. During a probe the pause is its lease, so that no
 * other process sends one.
 */
final class ReceiverPause {
    private static final Duration DEFAULT_DURATION = Duration.ofMinutes(1);
    static final Duration MAX_DURATION = Duration.ofHours(1);
    /** Statuses of HTTP, and 421 with which a mail server refuses connections for now. */
    private static final Set<Integer> OVERLOADED = Set.of(421, 429, 502, 503, 504);

    private ReceiverPause() {}

    /** Returns the pause after the attempts; null for none. A probe counts only if the pause has not changed since. */
    static @Nullable Instant after(@Nullable Instant pausedUntil, List<AttemptResult> attempts) {
        Instant until = pausedUntil;
        for (AttemptResult each : attempts) {
            Attempt attempt = each.sent().attempt();
            if (until != null && until.equals(each.probeUntil())) {
                until = attempt.succeeded() ? null : attempt.at();
            }
        }
        for (AttemptResult each : attempts) {
            if (asksForPause(each.sent().attempt())) {
                Instant retryAt =
                        each.sent().attempt().at().plus(pause(each.sent().retryAfter()));
                until = until == null || until.isBefore(retryAt) ? retryAt : until;
            }
        }
        return until;
    }

    static boolean asksForPause(Attempt attempt) {
        return attempt.statusCode() == null
                ? attempt.errorClass() != ErrorClass.internal
                : OVERLOADED.contains(attempt.statusCode());
    }

    private static Duration pause(Duration retryAfter) {
        if (retryAfter.isZero()) {
            return DEFAULT_DURATION;
        }
        return retryAfter.compareTo(MAX_DURATION) < 0 ? retryAfter : MAX_DURATION;
    }
}
