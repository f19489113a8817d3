package farm.gantry.ingest.threemf.archive;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** Reads some blocks of a stream ahead of those that are used, so that a large entry is inflated and parsed at once. */
final class ReadAheadStream extends BlockStream {
    static final int BLOCK = 1 << 16;
    private static final int BLOCKS = 8;

    /** Some bytes of the stream, none at its end or where it failed. */
    private record Block(ByteBuffer bytes, @Nullable Throwable fault) {
        boolean isLast() {
            return bytes.limit() == 0;
        }
    }

    private final InputStream in;
    private final BlockingQueue<ByteBuffer> free = new ArrayBlockingQueue<>(BLOCKS);
    private final BlockingQueue<Block> filled = new ArrayBlockingQueue<>(BLOCKS);
    private final ExecutorService reader = Executors.newSingleThreadExecutor(
            Thread.ofVirtual().name("read-ahead").factory());
    private Block block = new Block(ByteBuffer.allocate(BLOCK), null);

    ReadAheadStream(InputStream in) {
        this.in = in;
        for (int i = 1; i < BLOCKS; i++) {
            free.add(ByteBuffer.allocate(BLOCK));
        }
        reader.execute(this::readAhead);
    }

    private void readAhead() {
        try {
            Block read;
            do {
                read = fill(free.take().clear());
                filled.put(read);
            } while (!read.isLast());
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private Block fill(ByteBuffer to) {
        try {
            return new Block(to.limit(in.readNBytes(to.array(), to.arrayOffset(), BLOCK)), null);
        } catch (IOException | RuntimeException | Error fault) {
            return new Block(to.limit(0), fault);
        }
    }

    @Override
    protected ByteBuffer next() throws IOException {
        if (!block.isLast()) {
            Block used = block;
            block = filled();
            free.add(used.bytes);
        }
        if (block.fault instanceof IOException broken) {
            throw broken;
        } else if (block.fault != null) {
            throw new IllegalStateException(block.fault);
        }
        return block.bytes;
    }

    private Block filled() throws IOException {
        try {
            return filled.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }

    /** Waits for the current read before it closes the stream, because a stream must not be closed while it is read. */
    @Override
    public void close() throws IOException {
        reader.shutdownNow();
        reader.close();
        in.close();
    }
}
