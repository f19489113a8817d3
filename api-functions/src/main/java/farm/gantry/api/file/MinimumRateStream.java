package farm.gantry.api.file;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** An upload stream that is closed when too few bytes arrive within a time, because it holds a thread and a slot. */
final class MinimumRateStream extends FilterInputStream {
    private final AtomicLong read = new AtomicLong();
    private final Thread reader = Thread.currentThread();
    private final Thread watch;
    private final Object end = new Object();
    private volatile boolean isSlow;
    private boolean isClosed;

    /** {@code in} is read and closed by the thread that makes this. */
    MinimumRateStream(InputStream in, Duration within, long leastBytes) {
        super(in);
        this.watch = Thread.ofVirtual().start(() -> watch(within, leastBytes));
    }

    /** The upload was too slow. */
    static final class TooSlowException extends IOException {
        TooSlowException() {
            super("the upload came too slowly");
        }
    }

    private void watch(Duration within, long leastBytes) {
        try {
            for (long before = 0; ; ) {
                Thread.sleep(within);
                if (read.get() - before < leastBytes) {
                    abort();
                    return;
                }
                before = read.get();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            // whoever reads it finds it closed
        }
    }

    /** Interrupts the reader too: closing the body does not wake it. */
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
                watch.interrupt(); // what is done with the whole upload may take its time
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
                Thread.interrupted(); // meant for this upload; the thread goes on to other requests
            }
        }
        super.close();
    }
}
