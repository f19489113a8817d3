package farm.gantry.api.file;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An upload stream that is closed if too few bytes arrive within a time, because it occupies a thread and an upload
 * slot.
 */
final class MinimumRateStream extends FilterInputStream {
    private final AtomicLong read = new AtomicLong();
    private final Thread reader = Thread.currentThread();
    private final Thread watch;
    private final Object end = new Object();
    private volatile boolean isSlow;
    private boolean isClosed;

    /** The thread that creates the stream must read and close it. */
    MinimumRateStream(InputStream in, Duration within, long minBytes) {
        super(in);
        this.watch = Thread.ofVirtual().start(() -> watch(within, minBytes));
    }

    /** The upload was too slow. */
    static final class TooSlowException extends IOException {
        TooSlowException() {
            super("the upload was too slow");
        }
    }

    private void watch(Duration within, long minBytes) {
        try {
            for (long before = 0; ; ) {
                Thread.sleep(within);
                if (read.get() - before < minBytes) {
                    abort();
                    return;
                }
                before = read.get();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            // the reader finds the stream closed
        }
    }

    /** Also interrupts the reader, because closing the body does not wake it. */
    private void abort() throws IOException {
        synchronized (end) {
            if (isClosed) {
                return;
            }
            isSlow = true;
            reader.interrupt();
        }
        in.close();
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        try {
            int count = super.read(buffer, offset, length);
            read.addAndGet(Math.max(count, 0));
            if (count < 0) {
                watch.interrupt(); // processing the complete upload is not limited
            }
            if (isSlow) {
                throw new TooSlowException();
            }
            return count;
        } catch (IOException e) {
            throw isSlow ? new TooSlowException() : e;
        }
    }

    @Override
    public void close() throws IOException {
        watch.interrupt();
        synchronized (end) {
            isClosed = true;
            if (isSlow) {
                // the interrupt was for this upload; the thread serves other requests
                Thread.interrupted();
            }
        }
        super.close();
    }
}
