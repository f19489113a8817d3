package farm.gantry.ingest.threemf.archive;

import farm.gantry.ingest.reading.BadFileException;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;

/** Inflates an entry, with limits for its size and the archive's. */
final class LimitedEntryStream extends FilterInputStream {
    private final ZipEntry entry;
    private final CRC32 sum = new CRC32();
    private final long allowed;
    private final long allowedTotal;
    private final AtomicLong read = new AtomicLong();
    private final AtomicLong total;

    LimitedEntryStream(InputStream in, ZipEntry entry, long allowed, long allowedTotal, AtomicLong total) {
        super(in);
        this.entry = entry;
        this.allowed = allowed;
        this.allowedTotal = allowedTotal;
        this.total = total;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        try {
            int count = super.read(into, offset, length);
            if (count < 0) {
                requireChecksum();
                return count;
            }
            sum.update(into, offset, count);
            if (read.addAndGet(count) > allowed || total.addAndGet(count) > allowedTotal) {
                throw new BadFileException(
                        "The archive's entry " + entry + " inflates to more than any real file does");
            }
            return count;
        } catch (ZipException | EOFException broken) {
            throw new BadFileException("The archive's entry " + entry + " is broken", broken);
        }
    }

    /** The JDK does not verify the checksums of ZIP entries. */
    private void requireChecksum() throws BadFileException {
        if (sum.getValue() != entry.getCrc()) {
            throw new BadFileException("The archive's entry " + entry + " is broken: its checksum differs");
        }
    }
}
