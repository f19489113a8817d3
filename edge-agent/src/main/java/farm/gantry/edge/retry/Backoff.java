package farm.gantry.edge.retry;

import farm.gantry.edge.time.Uptime;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Delays that double from {@code first} to {@code max}, each shortened at random so that the printers of a farm never
 * retry all at once.
 */
public final class Backoff {
    /** For this long after a disconnect, retries stay frequent, because the printer may be restarting. */
    private static final Duration RESTART_PERIOD = Duration.ofMinutes(5);

    private final Duration first;
    private final Duration max;
    private final Duration maxWhenPresent;
    private final Supplier<Duration> uptime;
    private final AtomicInteger failures = new AtomicInteger();
    private volatile @Nullable Duration thereAt;

    public Backoff(Duration first, Duration max) {
        this(first, max, max, Uptime::now);
    }

    Backoff(Duration first, Duration max, Duration maxWhenPresent, Supplier<Duration> uptime) {
        this.first = first;
        this.max = max;
        this.maxWhenPresent = maxWhenPresent;
        this.uptime = uptime;
    }

    public static Backoff ofPrinter() {
        return new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30), Duration.ofSeconds(5), Uptime::now);
    }

    public Duration nextDelay() {
        int doublings = Math.min(failures.getAndIncrement(), 16);
        long bound = Math.min(first.toMillis() << doublings, maxDelay().toMillis());
        return Duration.ofMillis(bound / 2 + ThreadLocalRandom.current().nextLong(bound / 2 + 1));
    }

    private Duration maxDelay() {
        Duration at = thereAt;
        boolean justThere = at != null && uptime.get().minus(at).compareTo(RESTART_PERIOD) < 0;
        return justThere ? maxWhenPresent : max;
    }

    /** Starts again with the first delay after a success. */
    public void reset() {
        failures.set(0);
        thereAt = uptime.get();
    }
}
