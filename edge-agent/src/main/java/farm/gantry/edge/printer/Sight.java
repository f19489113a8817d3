package farm.gantry.edge.printer;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** How a printer was seen last, for whoever waits to see it otherwise. */
public final class Sight {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition news = lock.newCondition();
    private final AtomicLong looks = new AtomicLong();
    private volatile @Nullable Reading last;

    public void see(Reading reading) {
        become(reading);
    }

    public void lose() {
        become(null);
    }

    private void become(@Nullable Reading reading) {
        lock.lock();
        try {
            last = reading;
            looks.incrementAndGet();
            news.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Null while it is out of sight. */
    public @Nullable Reading last() {
        return last;
    }

    /** How often something was seen or lost: with {@link #after}, to wait for what comes later than now. */
    public long looks() {
        return looks.get();
    }

    /** The first reading after so many looks; null when it is lost instead, or none comes in time. */
    public @Nullable Reading after(long seen, Duration patience) throws InterruptedException {
        until(() -> looks.get() > seen, patience);
        return looks.get() > seen ? last : null;
    }

    /** Until it looks so, or the time is over. */
    public void await(Predicate<Reading> what, Duration patience) throws InterruptedException {
        until(
                () -> {
                    Reading reading = last;
                    return reading != null && what.test(reading);
                },
                patience);
    }

    private void until(BooleanSupplier done, Duration patience) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = patience.toNanos();
            while (left > 0 && !done.getAsBoolean()) {
                left = news.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }
}
