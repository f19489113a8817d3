package farm.gantry.edge.retry;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A line that is being opened. So many at most are at once, over all printers: after a power cut a whole farm is greeted
 * in turn. One that takes long leaves its place to others, which printers that are off would keep otherwise.
 */
public final class Opening implements AutoCloseable {
    static final int MOST = 20;

    private static final Duration LONG = Duration.ofSeconds(2);
    private static final Semaphore PLACES = new Semaphore(MOST, true);

    private final AtomicBoolean held = new AtomicBoolean(true);

    private Opening() {}

    /** Waits for a place. */
    public static Opening begin() throws InterruptedException {
        PLACES.acquire();
        Opening opening = new Opening();
        Thread.ofVirtual().start(opening::leaveWhenLong);
        return opening;
    }

    private void leaveWhenLong() {
        try {
            Thread.sleep(LONG);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        close();
    }

    /** The line is open, or will not be. */
    @Override
    public void close() {
        if (held.compareAndSet(true, false)) {
            PLACES.release();
        }
    }
}
