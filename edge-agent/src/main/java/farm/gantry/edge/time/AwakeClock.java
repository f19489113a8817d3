package farm.gantry.edge.time;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Measures how long this process could run. A machine that is too busy to let it run, or is suspended, does not receive
 * responses either. Timeouts use this clock, so that a busy machine does not make a printer look offline.
 */
public final class AwakeClock {
    /** The clock of this process. */
    public static final AwakeClock CLOCK = new AwakeClock(System::nanoTime);

    private static final Duration TICK_INTERVAL = Duration.ofMillis(250);
    /** The maximum time that counts between two beats: a later beat was delayed. */
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

    /** Waits for at most this many nanoseconds, and returns whether the wait succeeded. */
    public interface TimedWait {
        boolean await(long nanoseconds) throws InterruptedException;
    }

    /** Creates a clock on another time source; {@link #tick} is called from elsewhere. */
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

    /** Returns a time of which only differences have a meaning. */
    public Duration now() {
        return Duration.ofNanos(last.next(nanos.getAsLong()).awake());
    }

    /** Returns whether the answer arrives or fails while this process is awake for the timeout. */
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

    /** Waits until the process was awake for the timeout; returns false if the wait did not succeed. */
    public boolean await(TimedWait waiting, Duration timeout) throws InterruptedException {
        Duration end = now().plus(timeout);
        boolean done = waiting.await(timeout.toNanos());
        for (Duration left = end.minus(now()); !done && left.isPositive(); left = end.minus(now())) {
            done = waiting.await(left.toNanos());
        }
        return done;
    }
}
