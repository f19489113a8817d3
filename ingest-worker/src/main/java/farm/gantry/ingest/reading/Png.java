package farm.gantry.ingest.reading;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.DeflaterOutputStream;

/** Checks and writes PNG images. */
public final class Png {
    /** Pixels; no slicer writes larger pictures, and decoding one could exhaust the memory. */
    public static final int MAX_SIDE = 4096;

    private static final byte[] SIGNATURE = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    private static final int WIDTH_AT = 16;
    private static final int HEIGHT_AT = 20;
    private static final int HEADER = 33;
    private static final byte EIGHT_BITS = 8;
    private static final byte RGBA = 6;

    private Png() {}

    /** Checks the signature and the size in the header, without decoding pixels. */
    public static boolean isSafe(byte[] image) {
        if (image.length < HEADER || !Arrays.equals(image, 0, SIGNATURE.length, SIGNATURE, 0, SIGNATURE.length)) {
            return false;
        }
        var header = ByteBuffer.wrap(image);
        return isSide(header.getInt(WIDTH_AT)) && isSide(header.getInt(HEIGHT_AT));
    }

    public static boolean isSide(int pixels) {
        return pixels > 0 && pixels <= MAX_SIDE;
    }

    /** The image of these pixels, four bytes (red, green, blue, alpha) each, row by row. */
    public static byte[] encode(int width, int height, byte[] rgba) {
        var header = ByteBuffer.allocate(13)
                .putInt(width)
                .putInt(height)
                .put(EIGHT_BITS)
                .put(RGBA);
        var image = new ByteArrayOutputStream();
        try {
            image.write(SIGNATURE);
            writeChunk(image, "IHDR", header.array());
            writeChunk(image, "IDAT", deflate(width, height, rgba));
            writeChunk(image, "IEND", new byte[0]);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return image.toByteArray();
    }

    private static byte[] deflate(int width, int height, byte[] rgba) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var deflater = new DeflaterOutputStream(bytes)) {
            for (int row = 0; row < height; row++) {
                deflater.write(0);
                deflater.write(rgba, row * width * 4, width * 4);
            }
        }
        return bytes.toByteArray();
    }

    private static void writeChunk(ByteArrayOutputStream image, String name, byte[] data) throws IOException {
        var crc = new CRC32();
        byte[] type = name.getBytes(StandardCharsets.US_ASCII);
        crc.update(type);
        crc.update(data);
        var out = new DataOutputStream(image);
        out.writeInt(data.length);
        out.write(type);
        out.write(data);
        out.writeInt((int) crc.getValue());
    }
}
