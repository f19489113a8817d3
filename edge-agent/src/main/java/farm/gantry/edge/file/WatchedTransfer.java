package farm.gantry.edge.file;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Copies a stream under a watchdog that ends the copy if it stalls, because reads and writes of a socket may have no
 * timeout.
 */
public final class WatchedTransfer {
    private static final int BUFFER = 1 << 16;

    private WatchedTransfer() {}

    /**
     * Copies the whole stream. If no byte is copied for {@code timeout}, closes {@code connection}, which makes the
     * copy fail.
     */
    @SuppressWarnings("ThreadPriorityCheck") // A virtual thread gives up its carrier only so.
    public static void copy(InputStream in, OutputStream out, Duration timeout, Closeable connection)
            throws IOException {
        AtomicLong copied = new AtomicLong();
        Thread watch = Thread.ofVirtual().start(() -> closeWhenStalled(copied, timeout, connection));
        try {
            byte[] buffer = new byte[BUFFER];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                out.write(buffer, 0, read);
                copied.addAndGet(read);
                Thread.yield(); // On a fast connection nothing blocks, and other virtual threads wait for the carrier
                // thread.
            }
            out.flush();
        } finally {
            watch.interrupt();
        }
    }

    private static void closeWhenStalled(AtomicLong copied, Duration timeout, Closeable connection) {
        try {
            long before = -1;
            while (before != copied.get()) {
                before = copied.get();
                Thread.sleep(timeout);
            }
            connection.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            // It is closed all the same.
        }
    }
}
