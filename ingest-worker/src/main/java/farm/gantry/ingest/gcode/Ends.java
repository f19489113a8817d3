package farm.gantry.ingest.gcode;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * The two ends of a G-code, where slicers write what they know; the moves between are never read, so that a long print
 * costs no more than a short one.
 */
final class Ends {
    private static final int FIRST_LOOK = 1 << 16;
    private static final int LAYER_LOOK = 1 << 19;
    private static final int LONGEST_LOOK = 1 << 23;
    private static final int GROWTH = 4;
    private static final byte[] NOTHING = new byte[0];

    private final byte[] head;
    private final byte[] tail;

    Ends(byte[] head, byte[] tail) {
        this.head = head;
        this.tail = tail;
    }

    /** Each end grows until it reaches from the edge of the file past the comments and into the moves. */
    static Ends of(Path file) throws IOException {
        try (var channel = FileChannel.open(file)) {
            long size = channel.size();
            Xgcode header = Xgcode.of(read(channel, 0, Xgcode.LENGTH));
            int start = header == null ? 0 : header.textAt();
            byte[] head = read(channel, start, FIRST_LOOK);
            while (start + head.length < size && head.length < LONGEST_LOOK && !Lines.holdMove(head)) {
                head = read(channel, start, grown(head.length));
            }
            int left = (int) Math.min(Math.max(0, size - start - head.length), LONGEST_LOOK);
            byte[] tail = left == 0 ? NOTHING : tail(channel, size, left);
            byte[] whole = left > 0 ? Lines.withoutLast(head) : head;
            return new Ends(header == null ? whole : header.before(whole), Lines.withoutFirst(tail));
        }
    }

    /** Gives every telling line of both ends, in the order of the file. */
    void each(Consumer<String> taker) {
        Lines.each(head, taker);
        Lines.each(tail, taker);
    }

    /** The head alone, of a file that can only be read from its start, such as an archive's entry. */
    static Ends ofHead(InputStream in) throws IOException {
        byte[] head = in.readNBytes(FIRST_LOOK);
        while (head.length < LONGEST_LOOK && !Lines.holdMove(head)) {
            byte[] more = in.readNBytes(grown(head.length) - head.length);
            if (more.length == 0) {
                break;
            }
            head = ByteBuffer.allocate(head.length + more.length)
                    .put(head)
                    .put(more)
                    .array();
        }
        return new Ends(Lines.withoutLast(head), NOTHING);
    }

    private static byte[] tail(FileChannel channel, long size, int left) throws IOException {
        int length = Math.min(FIRST_LOOK, left);
        byte[] tail = read(channel, size - length, length);
        while (length < left && !isEnough(tail)) {
            length = Math.min(grown(length), left);
            tail = read(channel, size - length, length);
        }
        return tail;
    }

    private static int grown(int length) {
        return Math.min(length * GROWTH, LONGEST_LOOK);
    }

    /** The last layer's height is worth a longer look, but not a very long one. */
    private static boolean isEnough(byte[] tail) {
        return Lines.holdMove(tail) && (tail.length >= LAYER_LOOK || Lines.holdLayer(tail));
    }

    private static byte[] read(FileChannel channel, long from, int atMost) throws IOException {
        int length = (int) Math.min(atMost, channel.size() - from);
        var bytes = ByteBuffer.allocate(length);
        while (bytes.hasRemaining() && channel.read(bytes, from + bytes.position()) >= 0) {}
        return bytes.hasRemaining() ? Arrays.copyOf(bytes.array(), bytes.position()) : bytes.array();
    }
}
