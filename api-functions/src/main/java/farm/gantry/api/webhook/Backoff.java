package farm.gantry.api.webhook;

import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/** Delays between the attempts at a delivery. */
final class Backoff {
    private static final List<Duration> DELAYS = List.of(
            Duration.ofMinutes(1),
            Duration.ofMinutes(5),
            Duration.ofMinutes(30),
            Duration.ofHours(2),
            Duration.ofHours(5),
            Duration.ofHours(10));
    private static final double JITTER = 0.2;

    /** The maximum number of attempts that have a delay before them or are the first. */
    static final int MAX_ATTEMPTS = DELAYS.size() + 1;

    private Backoff() {}

    /** Returns the delay after the given number of attempts: at least the receiver's Retry-After, up to an hour. */
    static Duration delay(int attempts, Duration retryAfter) {
        Duration wait = DELAYS.get(attempts - 1);
        long jitter = (long) (wait.toMillis() * RandomGenerator.getDefault().nextDouble(-JITTER, JITTER));
        Duration jittered = wait.plusMillis(jitter);
        Duration requestedDelay =
                retryAfter.compareTo(ReceiverPause.MAX_DURATION) < 0 ? retryAfter : ReceiverPause.MAX_DURATION;
        return jittered.compareTo(requestedDelay) < 0 ? requestedDelay : jittered;
    }
}
