package farm.gantry.api.queue;

import farm.gantry.Id;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The lease of background work that one of the processes on a database does for all. Without other processes, it is always held. It saves
 * work and protects nothing: after a long pause of its holder, two processes may work for a moment.
 */
@Singleton
public final class WorkLease {
    /** Duration of the lease; the time until others take over from a process that died. */
    private static final Duration DURATION = Duration.ofSeconds(6);

    private static final Duration RENEWAL_INTERVAL = Duration.ofSeconds(2);

    private final Optional<WorkLeaseRows> rows;
    private final String holder = Id.random(16);
    private final List<Signal> waiting = new CopyOnWriteArrayList<>();
    /** End of the lease by the clock of {@link System#nanoTime}. */
    private final AtomicLong endNanos = new AtomicLong(System.nanoTime());

    WorkLease(Optional<WorkLeaseRows> rows) {
        this.rows = rows;
    }

    /** Returns whether this process does the shared work now. */
    public boolean isHeld() {
        return rows.isEmpty() || System.nanoTime() - endNanos.get() < 0;
    }

    /** Gives the signal whenever this process acquires the lease from another. */
    void onAcquired(Signal signal) {
        waiting.add(signal);
    }

    /** Starts acquiring and renewing the lease, if other processes share the database. */
    public List<WorkLoop> start() {
        return rows
                .map(shared -> WorkLoop.start("work-lease", new Signal(), RENEWAL_INTERVAL, () -> renew(shared)))
                .stream()
                .toList();
    }

    private void renew(WorkLeaseRows shared) {
        long begun = System.nanoTime();
        boolean wasHeld = isHeld();
        if (shared.acquire(holder, DURATION)) {
            endNanos.set(begun + DURATION.toNanos());
            if (!wasHeld) {
                waiting.forEach(Signal::signal);
            }
        } else {
            endNanos.set(begun);
        }
    }

    /** Ends the lease, so that another process takes over without waiting for its end. */
    @PreDestroy
    void release() {
        if (rows.isPresent() && isHeld()) {
            endNanos.set(System.nanoTime());
            rows.get().release(holder);
        }
    }
}
