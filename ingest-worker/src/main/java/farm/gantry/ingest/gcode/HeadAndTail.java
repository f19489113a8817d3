package farm.gantry.ingest.gcode;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * The head and tail of a G-code, where slicers write metadata; the moves between are not read, so that a long print
 * costs no more than a short one.
 */
final class HeadAndTail {
    private static final int INITIAL_LENGTH = 1 << 16;
    private static final int LAYER_SEARCH_LENGTH = 1 << 19;
    private static final int MAX_LENGTH = 1 << 23;
    private static final int GROWTH = 4;
    private static final byte[] NOTHING = new byte[0];

    private final byte[] head;
    private final byte[] tail;

    HeadAndTail(byte[] head, byte[] tail) {
        this.head = head;
        this.tail = tail;
    }

    /** Reads both ends of the file. Each grows until it contains all comments up to the moves. */
    static HeadAndTail read(Path file) throws IOException {
        try (var channel = FileChannel.open(file)) {
            long size = channel.size();
            GxHeader header = GxHeader.parse(read(channel, 0, GxHeader.LENGTH));
            int start = header == null ? 0 : header.textAt();
            byte[] head = read(channel, start, INITIAL_LENGTH);
            while (start + head.length < size && head.length < MAX_LENGTH && !GcodeLines.containsMove(head)) {
                head = read(channel, start, nextLength(head.length));
            }
            int left = (int) Math.min(Math.max(0, size - start - head.length), MAX_LENGTH);
            byte[] tail = left == 0 ? NOTHING : tail(channel, size, left);
            byte[] whole = left > 0 ? GcodeLines.withoutLastLine(head) : head;
            return new HeadAndTail(
                    header == null ? whole : header.prependComments(whole), GcodeLines.withoutFirstLine(tail));
        }
    }

    /** Passes every relevant line of both ends to the consumer, in file order. */
    void forEachLine(Consumer<String> consumer) {
        GcodeLines.forEachLine(head, consumer);
        GcodeLines.forEachLine(tail, consumer);
    }

    /** Reads the head alone, for a stream such as an archive's entry. */
    static HeadAndTail readHead(InputStream in) throws IOException {
        byte[] head = in.readNBytes(INITIAL_LENGTH);
        while (head.length < MAX_LENGTH && !GcodeLines.containsMove(head)) {
            byte[] more = in.readNBytes(nextLength(head.length) - head.length);
            if (more.length == 0) {
                break;
            }
            head = ByteBuffer.allocate(head.length + more.length)
                    .put(head)
                    .put(more)
                    .array();
        }
        return new HeadAndTail(GcodeLines.withoutLastLine(head), NOTHING);
    }

    private static byte[] tail(FileChannel channel, long size, int left) throws IOException {
        int length = Math.min(INITIAL_LENGTH, left);
        byte[] tail = read(channel, size - length, length);
        while (length < left && !isLargeEnough(tail)) {
            length = Math.min(nextLength(length), left);
            tail = read(channel, size - length, length);
        }
        return tail;
    }

    private static int nextLength(int length) {
        return Math.min(length * GROWTH, MAX_LENGTH);
    }

    /** Also searches for the last layer's height, up to a limit. */
    private static boolean isLargeEnough(byte[] tail) {
        return GcodeLines.containsMove(tail) && (tail.length >= LAYER_SEARCH_LENGTH || GcodeLines.containsLayer(tail));
    }

    private static byte[] read(FileChannel channel, long from, int atMost) throws IOException {
        int length = (int) Math.min(atMost, channel.size() - from);
        var bytes = ByteBuffer.allocate(length);
        while (bytes.hasRemaining() && channel.read(bytes, from + bytes.position()) >= 0) {}
        return bytes.hasRemaining() ? Arrays.copyOf(bytes.array(), bytes.position()) : bytes.array();
    }
}
