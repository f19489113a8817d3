package farm.gantry.api.queue;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Wakes a loop early: work that is there before the loop waits is not missed. */
public final class Signal {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition given = lock.newCondition();
    private long count;

    public void signal() {
        lock.lock();
        try {
            count++;
            given.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** How often it was given so far. */
    public long version() {
        lock.lock();
        try {
            return count;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until it was given more often than {@code seen}, or the time is over. */
    public void await(long seen, Duration most) throws InterruptedException {
        long nanos = most.toNanos();
        lock.lock();
        try {
            while (count <= seen && nanos > 0) {
                nanos = given.awaitNanos(nanos);
            }
        } finally {
            lock.unlock();
        }
    }
}
