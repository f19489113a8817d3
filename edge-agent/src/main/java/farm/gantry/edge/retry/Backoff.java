package farm.gantry.edge.retry;

import farm.gantry.edge.time.Uptime;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Waits that double from {@code first} to {@code most}, each cut short at random so that a farm never knocks at once. */
public final class Backoff {
    /** What was there a moment ago may be restarting, and is knocked at more often for a while. */
    private static final Duration JUST_THERE = Duration.ofMinutes(5);

    private final Duration first;
    private final Duration most;
    private final Duration maxWhenPresent;
    private final Supplier<Duration> uptime;
    private final AtomicInteger failures = new AtomicInteger();
    private volatile @Nullable Duration thereAt;

    public Backoff(Duration first, Duration most) {
        this(first, most, most, Uptime::now);
    }

    Backoff(Duration first, Duration most, Duration maxWhenPresent, Supplier<Duration> uptime) {
        this.first = first;
        this.most = most;
        this.maxWhenPresent = maxWhenPresent;
        this.uptime = uptime;
    }

    public static Backoff ofPrinter() {
        return new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30), Duration.ofSeconds(5), Uptime::now);
    }

    public Duration next() {
        int doublings = Math.min(failures.getAndIncrement(), 16);
        long bound = Math.min(first.toMillis() << doublings, longest().toMillis());
        return Duration.ofMillis(bound / 2 + ThreadLocalRandom.current().nextLong(bound / 2 + 1));
    }

    private Duration longest() {
        Duration at = thereAt;
        boolean justThere = at != null && uptime.get().minus(at).compareTo(JUST_THERE) < 0;
        return justThere ? maxWhenPresent : most;
    }

    /** It is there. */
    public void reset() {
        failures.set(0);
        thereAt = uptime.get();
    }
}
