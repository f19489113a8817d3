package farm.gantry.edge.printer;

import farm.gantry.edge.camera.CameraPicture;
import farm.gantry.edge.refusal.Refusal;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One camera request at a time, since printers accept few connections. The picture, or the error, is reused for two
 * seconds.
 */
final class CameraSnapshots {
    private static final Duration FRESH = Duration.ofSeconds(2);

    private final Connection connection;
    private final Duration fresh;
    private final ReentrantLock turn = new ReentrantLock();
    private volatile @Nullable Taken last;

    CameraSnapshots(Connection connection) {
        this(connection, FRESH);
    }

    /** One that reuses what it took for another time. */
    CameraSnapshots(Connection connection, Duration fresh) {
        this.connection = connection;
        this.fresh = fresh;
    }

    /** A picture, or why there is none. */
    private record Taken(@Nullable CameraPicture picture, String fault, long at) {
        static Taken now(@Nullable CameraPicture picture, @Nullable String fault) {
            return new Taken(picture, String.valueOf(fault), System.nanoTime());
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
            Taken before = last;
            if (before != null && before.isYoungerThan(fresh)) {
                return before.shown();
            }
            CameraPicture picture = connection.snapshot();
            last = Taken.now(picture, null);
            return picture;
        } catch (IOException e) {
            last = Taken.now(null, e.getMessage());
            throw e;
        } finally {
            turn.unlock();
        }
    }
}
