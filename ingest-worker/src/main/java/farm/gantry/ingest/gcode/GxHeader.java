package farm.gantry.ingest.gcode;

import farm.gantry.ingest.reading.ImageConversion;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The header of FlashPrint's {@code .gx}: numbers in little-endian order, and a small picture as BMP. FlashPrint of later
 * printers puts a larger one as PNG between that and the text.
 */
record GxHeader(int pictureAt, int textAt, int seconds, int rightMillimetres, int leftMillimetres) {
    static final int LENGTH = 58;

    private static final String MAGIC = "xgcode 1.";
    private static final int NUMBERS_AT = 16;
    private static final int MAX_SIZE = 1 << 22;

    /** Parses the header. Returns null if the bytes are not the beginning of a {@code .gx} file. */
    static @Nullable GxHeader parse(byte[] start) {
        if (start.length < LENGTH || !new String(start, 0, MAGIC.length(), StandardCharsets.ISO_8859_1).equals(MAGIC)) {
            return null;
        }
        var numbers = ByteBuffer.wrap(start).order(ByteOrder.LITTLE_ENDIAN).position(NUMBERS_AT);
        int smallPictureAt = numbers.getInt();
        int smallPictureEnd = numbers.getInt();
        int textAt = numbers.getInt();
        int pictureAt = smallPictureEnd < textAt ? smallPictureEnd : smallPictureAt;
        return textAt < LENGTH || textAt > MAX_SIZE
                ? null
                : new GxHeader(pictureAt, textAt, numbers.getInt(), numbers.getInt(), numbers.getInt());
    }

    /** Returns the text with the header's numbers as comments in front of it. */
    byte[] prependComments(byte[] text) {
        byte[] comments = ("; xgcode seconds = " + seconds + "\n; xgcode millimetres = " + rightMillimetres + ","
                        + leftMillimetres + "\n")
                .getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(comments.length + text.length)
                .put(comments)
                .put(text)
                .array();
    }

    /** Returns the picture as PNG; null if the file has none. */
    static byte @Nullable [] readPicture(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] start = in.readNBytes(LENGTH);
            GxHeader header = parse(start);
            if (header == null || header.pictureAt() < LENGTH || header.pictureAt() >= header.textAt()) {
                return null;
            }
            in.skipNBytes(header.pictureAt() - LENGTH);
            return ImageConversion.toPng(in.readNBytes(header.textAt() - header.pictureAt()));
        }
    }
}
