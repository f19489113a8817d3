package farm.gantry.edge.time;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * How long this process could run. A machine that is too busy to let it, or stands still for a while, takes in no answer
 * either: whoever waits for one waits by this clock, lest a busy machine be taken for a printer that is offline.
 */
public final class Awake {
    /** The one of this process. */
    public static final Awake CLOCK = new Awake(System::nanoTime);

    private static final Duration BETWEEN = Duration.ofMillis(250);
    /** No more counts between two beats: a later one was kept from coming. */
    private static final long MAX_NANOS = Duration.ofSeconds(1).toNanos();

    static {
        Thread.ofPlatform().daemon().name("awake").start(Awake::run);
    }

    private final LongSupplier nanos;
    private volatile Beat last;

    private record Beat(long at, long awake) {
        Beat next(long now) {
            return new Beat(now, awake + Math.min(now - at, MAX_NANOS));
        }
    }

    /** What waits for so many nanoseconds at most, and says whether that was enough. */
    public interface Waiting {
        boolean await(long nanoseconds) throws InterruptedException;
    }

    /** By another clock; {@link #beat} is called from elsewhere. */
    public Awake(LongSupplier nanos) {
        this.nanos = nanos;
        this.last = new Beat(nanos.getAsLong(), 0);
    }

    private static void run() {
        while (true) {
            LockSupport.parkNanos(BETWEEN.toNanos());
            CLOCK.beat();
        }
    }

    void beat() {
        last = last.next(nanos.getAsLong());
    }

    /** Only differences mean something. */
    public Duration now() {
        return Duration.ofNanos(last.next(nanos.getAsLong()).awake());
    }

    /** Whether the answer comes, or is known not to, while this process is awake for so long. */
    public boolean await(CompletableFuture<?> answer, Duration patience) throws InterruptedException {
        return await(nanoseconds -> isDone(answer, nanoseconds), patience);
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

    /** Waits for so long as this process was awake; false when that was not enough. */
    public boolean await(Waiting waiting, Duration patience) throws InterruptedException {
        Duration end = now().plus(patience);
        boolean done = waiting.await(patience.toNanos());
        for (Duration left = end.minus(now()); !done && left.isPositive(); left = end.minus(now())) {
            done = waiting.await(left.toNanos());
        }
        return done;
    }
}
