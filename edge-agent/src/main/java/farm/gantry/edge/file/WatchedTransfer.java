package farm.gantry.edge.file;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Copies between two ends of which one may stall: neither reads nor writes of a socket need have a time limit. */
public final class WatchedTransfer {
    private static final int BUFFER = 1 << 16;

    private WatchedTransfer() {}

    /** Copies all of it; {@code cut} ends the line, so that this fails, when nothing was taken for as long as {@code patience}. */
    @SuppressWarnings("ThreadPriorityCheck") // A virtual thread gives up its carrier only so.
    public static void copy(InputStream in, OutputStream out, Duration patience, Closeable cut) throws IOException {
        AtomicLong copied = new AtomicLong();
        Thread watch = Thread.ofVirtual().start(() -> cutWhenStalled(copied, patience, cut));
        try {
            byte[] buffer = new byte[BUFFER];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                out.write(buffer, 0, read);
                copied.addAndGet(read);
                Thread.yield(); // On a fast line nothing blocks, and other virtual threads wait for the carrier.
            }
            out.flush();
        } finally {
            watch.interrupt();
        }
    }

    private static void cutWhenStalled(AtomicLong copied, Duration patience, Closeable cut) {
        try {
            long before = -1;
            while (before != copied.get()) {
                before = copied.get();
                Thread.sleep(patience);
            }
            cut.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            // It is closed all the same.
        }
    }
}
