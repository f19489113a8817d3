package farm.gantry.ingest.threemf.archive;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/** An input stream that produces its content in blocks, each consumed before the next is produced. */
public abstract class BlockStream extends InputStream {
    private ByteBuffer block = ByteBuffer.allocate(0);

    /** Returns the next bytes; empty at the end, and at each later call. */
    protected abstract ByteBuffer next() throws IOException;

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public int read(byte[] to, int offset, int most) throws IOException {
        if (most == 0) {
            return 0;
        }
        if (!block.hasRemaining()) {
            block = next();
        }
        int count = Math.min(most, block.remaining());
        block.get(to, offset, count);
        return count == 0 ? -1 : count;
    }
}
