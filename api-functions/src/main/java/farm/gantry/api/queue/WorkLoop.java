package farm.gantry.api.queue;

import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Repeats work on its own thread, on every signal and at an interval. */
public final class WorkLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WorkLoop.class);
    private static final Duration RETRY_DELAY = Duration.ofSeconds(1);
    private static final Duration CLOSING_TIME = Duration.ofSeconds(5);

    private final Thread thread;

    private WorkLoop(Thread thread) {
        this.thread = thread;
    }

    public static WorkLoop start(String name, Signal signal, Duration every, Runnable work) {
        return start(Thread.ofVirtual().name(name), signal, every, work);
    }

    /**
     * Starts a loop that at each interval works only in the process that holds the lease. A signal starts the work in the process where it
     * is given.
     */
    public static WorkLoop start(String name, Signal signal, Duration every, WorkLease lease, Runnable work) {
        return start(Thread.ofVirtual().name(name), signal, every, lease, work);
    }

    static WorkLoop start(Thread.Builder kind, Signal signal, Duration every, WorkLease lease, Runnable work) {
        lease.onAcquired(signal);
        return start(kind, signal, every, lease::isHeld, work);
    }

    /**
     * Starts a loop on a thread of the given kind; computations need platform threads, so that they do not block
     * virtual ones.
     */
    public static WorkLoop start(Thread.Builder kind, Signal signal, Duration every, Runnable work) {
        return start(kind, signal, every, () -> true, work);
    }

    private static WorkLoop start(
            Thread.Builder kind, Signal signal, Duration every, BooleanSupplier isDue, Runnable work) {
        Thread thread = kind.unstarted(() -> run(Thread.currentThread().getName(), signal, every, isDue, work));
        thread.start();
        return new WorkLoop(thread);
    }

    private static void run(String name, Signal signal, Duration every, BooleanSupplier isDue, Runnable work) {
        long seen = signal.version();
        boolean isRequested = false;
        while (!Thread.currentThread().isInterrupted()) {
            Duration pause = every;
            try {
                if (isRequested || isDue.getAsBoolean()) {
                    isRequested = true; // also after a failure
                    work.run();
                }
                isRequested = false;
            } catch (RuntimeException e) {
                LOG.warn("loop {} failed, retrying", name, e);
                pause = RETRY_DELAY;
            } catch (Throwable e) {
                LOG.error("loop {} failed, retrying", name, e);
                pause = RETRY_DELAY;
            }
            try {
                signal.await(seen, pause);
                long given = signal.version();
                isRequested |= given > seen;
                seen = given;
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** Stops the loop and waits for the current iteration to end. */
    @Override
    public void close() {
        closeAll(List.of(this));
    }

    /** Stops all loops together; waits at most a few seconds for work that ignores the interrupt. */
    public static void closeAll(List<WorkLoop> loops) {
        loops.forEach(loop -> loop.thread.interrupt());
        long end = System.nanoTime() + CLOSING_TIME.toNanos();
        try {
            for (WorkLoop loop : loops) {
                if (!loop.thread.join(Duration.ofNanos(end - System.nanoTime()))) {
                    LOG.warn("loop {} did not end in time after it was stopped", loop.thread.getName());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
