package farm.gantry.edge.printer;

import farm.gantry.edge.camera.CameraImage;
import farm.gantry.edge.printer.connection.PrinterConnection;
import farm.gantry.edge.refusal.Refusal;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Takes camera snapshots of one printer. Sends one request at a time, because printers accept few connections, and
 * reuses the snapshot, or the error, for two seconds.
 */
final class CameraSnapshotCache {
    private static final Duration CACHE_DURATION = Duration.ofSeconds(2);

    private final PrinterConnection connection;
    private final Duration fresh;
    private final ReentrantLock turn = new ReentrantLock();
    private volatile @Nullable CachedSnapshot last;

    CameraSnapshotCache(PrinterConnection connection) {
        this(connection, CACHE_DURATION);
    }

    /** Creates a cache that reuses a snapshot for the duration {@code fresh}. */
    CameraSnapshotCache(PrinterConnection connection, Duration fresh) {
        this.connection = connection;
        this.fresh = fresh;
    }

    /** A snapshot, or the reason why there is none. {@code takenAtNanos} is the time by {@link System#nanoTime}. */
    private record CachedSnapshot(@Nullable CameraImage image, String fault, long takenAtNanos) {
        static CachedSnapshot takenNow(@Nullable CameraImage picture, @Nullable String fault) {
            return new CachedSnapshot(picture, String.valueOf(fault), System.nanoTime());
        }

        boolean isYoungerThan(Duration age) {
            return System.nanoTime() - takenAtNanos < age.toNanos();
        }

        CameraImage requireImage() throws Refusal {
            if (image == null) {
                throw new Refusal(fault);
            }
            return image;
        }
    }

    CameraImage takeOrReuse() throws IOException, Refusal, InterruptedException {
        turn.lockInterruptibly();
        try {
            CachedSnapshot before = last;
            if (before != null && before.isYoungerThan(fresh)) {
                return before.requireImage();
            }
            CameraImage picture = connection.takeSnapshot();
            last = CachedSnapshot.takenNow(picture, null);
            return picture;
        } catch (IOException e) {
            last = CachedSnapshot.takenNow(null, e.getMessage());
            throw e;
        } finally {
            turn.unlock();
        }
    }
}
