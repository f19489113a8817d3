package farm.gantry.api.queue;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A counter that threads wait on. A signal that is given before the wait is not missed. */
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

    /** Returns the number of signals so far. */
    public long version() {
        lock.lock();
        try {
            return count;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until there are more signals than {@code seen}, or for the maximum time. */
    public void await(long seen, Duration timeout) throws InterruptedException {
        long nanos = timeout.toNanos();
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
