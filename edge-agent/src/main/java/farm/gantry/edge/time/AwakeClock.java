package farm.gantry.edge.time;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * A clock that advances only while this process can run, not while the machine is suspended or too busy. Timeouts use
 * this clock, so that a printer does not look offline because this machine could not receive its responses.
 */
public final class AwakeClock {
    /** The clock of this process. */
    public static final AwakeClock CLOCK = new AwakeClock(System::nanoTime);

    private static final Duration TICK_INTERVAL = Duration.ofMillis(250);
    /**
     * The maximum time that counts between two ticks. If more has passed, the tick was delayed because the process
     * could not run.
     */
    private static final long MAX_NANOS = Duration.ofSeconds(1).toNanos();

    static {
        Thread.ofPlatform().daemon().name("awake").start(AwakeClock::run);
    }

    private final LongSupplier nanos;
    private volatile ClockTick last;

    private record ClockTick(long at, long awake) {
        ClockTick next(long now) {
            return new ClockTick(now, awake + Math.min(now - at, MAX_NANOS));
        }
    }

    /** A wait with a timeout in nanoseconds. Returns whether the awaited condition was met. */
    public interface TimedWait {
        boolean await(long nanoseconds) throws InterruptedException;
    }

    /** Creates a clock with another time source, whose {@link #tick} the caller must call. */
    public AwakeClock(LongSupplier nanos) {
        this.nanos = nanos;
        this.last = new ClockTick(nanos.getAsLong(), 0);
    }

    private static void run() {
        while (true) {
            LockSupport.parkNanos(TICK_INTERVAL.toNanos());
            CLOCK.tick();
        }
    }

    void tick() {
        last = last.next(nanos.getAsLong());
    }

    /** Returns the time on this clock. Only the difference between two times is meaningful. */
    public Duration now() {
        return Duration.ofNanos(last.next(nanos.getAsLong()).awake());
    }

    /** Waits for an answer, and returns whether it arrived or failed before the timeout. */
    public boolean await(CompletableFuture<?> answer, Duration timeout) throws InterruptedException {
        return await(nanoseconds -> isDone(answer, nanoseconds), timeout);
    }

    private static boolean isDone(CompletableFuture<?> answer, long nanoseconds) throws InterruptedException {
        try {
            answer.get(nanoseconds, TimeUnit.NANOSECONDS);
            return true;
        } catch (ExecutionException e) {
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }

    /** Waits until the wait succeeds or the timeout has passed on this clock, and returns whether it succeeded. */
    public boolean await(TimedWait waiting, Duration timeout) throws InterruptedException {
        Duration end = now().plus(timeout);
        boolean done = waiting.await(timeout.toNanos());
        for (Duration left = end.minus(now()); !done && left.isPositive(); left = end.minus(now())) {
            done = waiting.await(left.toNanos());
        }
        return done;
    }
}
