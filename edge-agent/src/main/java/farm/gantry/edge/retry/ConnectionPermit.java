package farm.gantry.edge.retry;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Permission to open one connection. Few are issued at a time over all printers, so that the connections of a whole
 * farm are not reopened all at once after a power cut. A slow attempt returns its permit early, because printers that
 * are switched off would hold it.
 */
public final class ConnectionPermit implements AutoCloseable {
    private static final int MAX_PERMITS = 20;

    private static final Duration HELD_AT_MOST = Duration.ofSeconds(2);
    private static final Semaphore PERMITS = new Semaphore(MAX_PERMITS, true);

    private final Semaphore permits;
    private final AtomicBoolean held = new AtomicBoolean(true);

    private ConnectionPermit(Semaphore permits) {
        this.permits = permits;
    }

    /** Waits for a permit. */
    public static ConnectionPermit acquire() throws InterruptedException {
        return acquire(PERMITS, HELD_AT_MOST);
    }

    static ConnectionPermit acquire(Semaphore permits, Duration heldAtMost) throws InterruptedException {
        permits.acquire();
        ConnectionPermit permit = new ConnectionPermit(permits);
        Thread.ofVirtual().start(() -> permit.releaseAfter(heldAtMost));
        return permit;
    }

    private void releaseAfter(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        close();
    }

    /** Returns the permit: the connection is open, or the attempt has failed. */
    @Override
    public void close() {
        if (held.compareAndSet(true, false)) {
            permits.release();
        }
    }
}
