package farm.gantry.edge.printer;

import farm.gantry.edge.camera.CameraPicture;
import farm.gantry.edge.refusal.Refusal;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Sends one camera request at a time, because printers accept few connections. Reuses the snapshot, or the error, for
 * two seconds.
 */
final class CameraSnapshots {
    private static final Duration FRESH = Duration.ofSeconds(2);

    private final Connection connection;
    private final Duration fresh;
    private final ReentrantLock turn = new ReentrantLock();
    private volatile @Nullable CachedSnapshot last;

    CameraSnapshots(Connection connection) {
        this(connection, FRESH);
    }

    /** Creates a cache that reuses a snapshot for the duration {@code fresh}. */
    CameraSnapshots(Connection connection, Duration fresh) {
        this.connection = connection;
        this.fresh = fresh;
    }

    /** A snapshot, or the reason why there is none; {@code at} is in nanoseconds of the system timer. */
    private record CachedSnapshot(@Nullable CameraPicture picture, String fault, long at) {
        static CachedSnapshot now(@Nullable CameraPicture picture, @Nullable String fault) {
            return new CachedSnapshot(picture, String.valueOf(fault), System.nanoTime());
        }

        boolean isYoungerThan(Duration age) {
            return System.nanoTime() - at < age.toNanos();
        }

        CameraPicture shown() throws Refusal {
            if (picture == null) {
                throw new Refusal(fault);
            }
            return picture;
        }
    }

    CameraPicture take() throws IOException, Refusal, InterruptedException {
        turn.lockInterruptibly();
        try {
            CachedSnapshot before = last;
            if (before != null && before.isYoungerThan(fresh)) {
                return before.shown();
            }
            CameraPicture picture = connection.snapshot();
            last = CachedSnapshot.now(picture, null);
            return picture;
        } catch (IOException e) {
            last = CachedSnapshot.now(null, e.getMessage());
            throw e;
        } finally {
            turn.unlock();
        }
    }
}
