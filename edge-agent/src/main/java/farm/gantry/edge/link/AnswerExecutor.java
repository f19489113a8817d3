package farm.gantry.edge.link;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Applies responses of the API one after another, each on its own thread, so that a disk that does not respond blocks
 * that thread and not the caller. Used by a single thread.
 */
final class AnswerExecutor {
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(3);

    private final Duration timeout;
    private volatile @Nullable Thread last;

    AnswerExecutor(Duration timeout) {
        this.timeout = timeout;
    }

    /** Returns whether a response is still being applied. No other may be applied meanwhile. */
    boolean isBusy() {
        Thread running = last;
        return running != null && running.isAlive();
    }

    /** Runs the task; returns null if it is still running after the timeout. */
    @Nullable
    Boolean run(Callable<Boolean> task) throws IOException, InterruptedException {
        FutureTask<Boolean> result = new FutureTask<>(task);
        Thread thread = Thread.ofVirtual().name("answer").start(result);
        last = thread;
        try {
            return result.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return null;
        } catch (ExecutionException e) {
            throw cause(e);
        } catch (InterruptedException e) {
            thread.interrupt();
            thread.join(CLOSE_TIMEOUT);
            throw e;
        }
    }

    private static IOException cause(ExecutionException e) {
        return switch (e.getCause()) {
            case IOException lost -> lost;
            case RuntimeException fault -> throw fault;
            case null, default -> throw new IllegalStateException(e);
        };
    }
}
