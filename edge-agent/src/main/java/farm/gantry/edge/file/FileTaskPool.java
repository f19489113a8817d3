package farm.gantry.edge.file;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A pool of platform threads on which whole files are hashed, compressed and parsed. The virtual threads of all
 * printers share one carrier thread, which such work would block for seconds.
 */
public final class FileTaskPool {
    private static final int THREADS = Math.clamp(Runtime.getRuntime().availableProcessors() - 1L, 1, 2);
    private static final int IDLE_SECONDS = 30;

    private static final ThreadPoolExecutor POOL = new ThreadPoolExecutor(
            THREADS,
            THREADS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().daemon().name("file-work-", 0).factory());

    static {
        POOL.allowCoreThreadTimeOut(true);
    }

    /** The size in bytes from which a file counts as large. */
    private static final long LARGE_FILE = 16L << 20;

    private FileTaskPool() {}

    /**
     * Runs the garbage collector after work on a large file, so that memory returns to the machine. It would not run by
     * itself while the agent has little to do.
     */
    public static void releaseMemory(long fileBytes) {
        if (fileBytes >= LARGE_FILE) {
            POOL.execute(System::gc);
        }
    }

    /** A task that keeps a processor busy. */
    public interface FileTask<T> {
        T run() throws IOException;
    }

    /**
     * Runs a task on the pool and waits for its result. If the caller is interrupted, the task ends at its next read or
     * write.
     */
    public static <T> T run(FileTask<T> work) throws IOException, InterruptedException {
        Future<T> result = POOL.submit(work::run);
        try {
            return result.get();
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case IOException cause -> throw cause;
                case RuntimeException cause -> throw cause;
                case null, default -> throw new IllegalStateException(e.getCause());
            }
        } finally {
            result.cancel(true);
        }
    }
}
