package farm.gantry.edge.printer;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** One picture at a time: printers take few connections. Whoever asks soon after another is shown the same. */
final class Snapshots {
    private static final Duration FRESH = Duration.ofSeconds(2);

    private final Connection connection;
    private final ReentrantLock turn = new ReentrantLock();
    private volatile @Nullable Taken last;

    Snapshots(Connection connection) {
        this.connection = connection;
    }

    private record Taken(Picture picture, long at) {
        boolean isFresh() {
            return System.nanoTime() - at < FRESH.toNanos();
        }
    }

    Picture take() throws IOException, Refusal, InterruptedException {
        turn.lockInterruptibly();
        try {
            Taken before = last;
            if (before != null && before.isFresh()) {
                return before.picture();
            }
            Picture picture = connection.snapshot();
            last = new Taken(picture, System.nanoTime());
            return picture;
        } finally {
            turn.unlock();
        }
    }
}
