package farm.gantry.edge.retry;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A permit to open one connection. The number of permits is limited over all printers, so that a farm does not reopen
 * all connections at once after a power cut. A slow attempt releases its permit early, so that printers that are
 * switched off do not hold permits.
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

    /** Releases the permit, because the connection is open or the attempt has failed. */
    @Override
    public void close() {
        if (held.compareAndSet(true, false)) {
            permits.release();
        }
    }
}
