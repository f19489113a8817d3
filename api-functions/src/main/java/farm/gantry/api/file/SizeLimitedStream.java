package farm.gantry.api.file;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Limits a stream to a number of bytes. */
final class SizeLimitedStream extends FilterInputStream {
    private long remaining;

    SizeLimitedStream(InputStream in, long length) {
        super(in);
        this.remaining = length;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        if (remaining == 0 && length > 0) {
            return -1;
        }
        int read = super.read(buffer, offset, (int) Math.min(remaining, length));
        remaining -= Math.max(read, 0);
        return read;
    }
}
