package farm.gantry.edge.retry;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Waits that double from {@code first} to {@code most}, each cut short at random so that a farm never knocks at once. */
public final class Backoff {
    private final Duration first;
    private final Duration most;
    private final AtomicInteger failures = new AtomicInteger();

    public Backoff(Duration first, Duration most) {
        this.first = first;
        this.most = most;
    }

    public Duration next() {
        int doublings = Math.min(failures.getAndIncrement(), 16);
        long bound = Math.min(first.toMillis() << doublings, most.toMillis());
        return Duration.ofMillis(bound / 2 + ThreadLocalRandom.current().nextLong(bound / 2 + 1));
    }

    public void reset() {
        failures.set(0);
    }
}
