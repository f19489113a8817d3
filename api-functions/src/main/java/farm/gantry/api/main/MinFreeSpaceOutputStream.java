package farm.gantry.api.main;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;

/**
 * Writes to a file until less than a minimum of free space would be left on its disk; then it fails. A minimum of 0
 * checks nothing, because some network disks do not report their free space.
 */
final class MinFreeSpaceOutputStream extends FilterOutputStream {
    private final Path file;
    private final long minFreeBytes;

    /** The stream should be buffered, because each write checks the free space. */
    MinFreeSpaceOutputStream(OutputStream out, Path file, long minFreeBytes) {
        super(out);
        this.file = file;
        this.minFreeBytes = minFreeBytes;
    }

    @Override
    public void write(int singleByte) throws IOException {
        write(new byte[] {(byte) singleByte}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        if (minFreeBytes > 0 && file.toFile().getUsableSpace() - length < minFreeBytes) {
            throw new IOException("the disk of " + file.getParent() + " is full: less than " + (minFreeBytes >> 20)
                    + " MB would be left; free space on it, or choose a folder on another disk");
        }
        out.write(bytes, offset, length);
    }
}
