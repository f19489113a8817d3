package farm.gantry.ingest.threemf.archive;

import farm.gantry.ingest.reading.BadFileException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** Checks the end record of a ZIP before the JDK loads the directory that it announces into memory. */
final class ZipDirectoryCheck {
    private static final int SIGNATURE = 0x06054b50;
    private static final int RECORD = 22;
    private static final int MAX_COMMENT = 0xFFFF;
    private static final int COUNT_AT = 10;
    private static final int SIZE_AT = 12;
    private static final int LOCATOR_SIGNATURE = 0x07064b50;
    private static final int LOCATOR = 20;
    private static final int LONG_RECORD_AT = 8;
    private static final int LONG_RECORD = 56;
    private static final int LONG_COUNT_AT = 32;
    private static final int LONG_SIZE_AT = 40;
    private static final int MAX_ENTRY = 1024;

    private ZipDirectoryCheck() {}

    static void requireEntryLimit(Path file, int entries) throws IOException {
        try (var channel = FileChannel.open(file)) {
            int length = (int) Math.min(channel.size(), RECORD + MAX_COMMENT);
            ByteBuffer end = read(channel, channel.size() - length, length);
            for (int at = length - RECORD; at >= 0; at--) {
                if (end.getInt(at) == SIGNATURE) {
                    long count = Short.toUnsignedLong(end.getShort(at + COUNT_AT));
                    long size = Integer.toUnsignedLong(end.getInt(at + SIZE_AT));
                    if (isLong(end, at)) {
                        ByteBuffer record = longRecord(channel, end.getLong(at - LOCATOR + LONG_RECORD_AT));
                        count = record.getLong(LONG_COUNT_AT);
                        size = record.getLong(LONG_SIZE_AT);
                    }
                    if (count < 0 || count > entries || size < 0 || size > (long) entries * MAX_ENTRY) {
                        throw new BadFileException("The archive holds more than " + entries + " entries");
                    }
                    return;
                }
            }
        }
        throw new BadFileException("The ZIP archive is broken: it has no end, so it may be cut off");
    }

    private static boolean isLong(ByteBuffer end, int at) {
        return at >= LOCATOR && end.getInt(at - LOCATOR) == LOCATOR_SIGNATURE;
    }

    private static ByteBuffer longRecord(FileChannel channel, long at) throws IOException {
        if (at < 0 || at > channel.size() - LONG_RECORD) {
            throw new BadFileException("The ZIP archive is broken: its end points outside of it");
        }
        return read(channel, at, LONG_RECORD);
    }

    private static ByteBuffer read(FileChannel channel, long from, int length) throws IOException {
        var bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        while (bytes.hasRemaining() && channel.read(bytes, from + bytes.position()) >= 0) {}
        return bytes;
    }
}
