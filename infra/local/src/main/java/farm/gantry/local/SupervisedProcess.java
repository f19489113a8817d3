package farm.gantry.local;

import farm.gantry.api.main.process.ChildProcess;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A process of the farm that is restarted when it ends: after a second if it ran for a minute, otherwise after twice
 * the last delay, up to a minute.
 */
final class SupervisedProcess implements AutoCloseable {
    private static final Duration MIN_BACKOFF = Duration.ofSeconds(1);
    private static final Duration MAX_BACKOFF = Duration.ofMinutes(1);

    private final Starter starter;
    private ChildProcess process;
    private Duration backoff = MIN_BACKOFF;
    private long startedAt = System.nanoTime();
    /** When to restart it; null while it runs. */
    private @Nullable Long restartAt;

    private boolean closed;

    /** Starts the process, and renames the log of the one before to {@code <name>.previous.log}. */
    interface Starter {
        ChildProcess start() throws IOException;
    }

    SupervisedProcess(Starter starter) throws IOException {
        this.starter = starter;
        this.process = starter.start();
    }

    synchronized ChildProcess process() {
        return process;
    }

    /** Restarts the process if it has ended and its backoff is over; call this about once a second. */
    synchronized void check() {
        if (closed) {
            return;
        }
        if (process.isAlive()) {
            process.rotateLog();
        } else if (restartAt == null) {
            scheduleRestart();
        } else if (System.nanoTime() >= restartAt) {
            restart();
        }
    }

    private void restart() {
        try {
            process = starter.start();
            startedAt = System.nanoTime();
            restartAt = null;
            System.err.println("Process '%s' was restarted".formatted(process.name()));
        } catch (IOException e) {
            restartAt = System.nanoTime() + MAX_BACKOFF.toNanos();
            System.err.println("Process '%s' could not be started, retrying in %d s: %s"
                    .formatted(process.name(), MAX_BACKOFF.toSeconds(), e.getMessage()));
        }
    }

    private void scheduleRestart() {
        long now = System.nanoTime();
        Duration doubled = backoff.multipliedBy(2);
        if (now - startedAt > MAX_BACKOFF.toNanos()) {
            backoff = MIN_BACKOFF;
        } else {
            backoff = doubled.compareTo(MAX_BACKOFF) < 0 ? doubled : MAX_BACKOFF;
        }
        restartAt = now + backoff.toNanos();
        System.err.println("Process '%s' ended with exit code %d, restarting it in %d s; its log is %s"
                .formatted(process.name(), process.exitValue(), backoff.toSeconds(), process.log()));
    }

    @Override
    public synchronized void close() {
        closed = true;
        process.close();
    }
}
