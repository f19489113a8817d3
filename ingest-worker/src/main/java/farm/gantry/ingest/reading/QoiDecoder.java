package farm.gantry.ingest.reading;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Decodes the "Quite OK Image" format, which Prusa printers use and browsers do not show. */
final class QoiDecoder {
    private static final int MAGIC = 0x716F6966;
    private static final int HEADER = 14;
    private static final int SEEN = 64;
    private static final int RGB = 0xFE;
    private static final int RGBA = 0xFF;

    private QoiDecoder() {}

    /** Null where the bytes are no such image. */
    static byte @Nullable [] toPng(byte[] image) {
        if (image.length < HEADER) {
            return null;
        }
        var in = ByteBuffer.wrap(image);
        boolean known = in.getInt() == MAGIC;
        int width = in.getInt();
        int height = in.getInt();
        if (!known || !Png.isSide(width) || !Png.isSide(height)) {
            return null;
        }
        return Png.encode(width, height, decodePixels(in.position(HEADER), width * height));
    }

    /** An image that ends early stays transparent where it was not drawn. */
    private static byte[] decodePixels(ByteBuffer in, int count) {
        byte[] pixels = new byte[count * 4];
        byte[][] seen = new byte[SEEN][4];
        byte[] pixel = {0, 0, 0, (byte) 0xFF};
        int run = 0;
        for (int at = 0; at < pixels.length && (run > 0 || in.remaining() > 4); at += 4) {
            if (run > 0) {
                run--;
            } else {
                run = next(in, pixel, seen);
                seen[(u(pixel[0]) * 3 + u(pixel[1]) * 5 + u(pixel[2]) * 7 + u(pixel[3]) * 11) % SEEN] = pixel.clone();
            }
            System.arraycopy(pixel, 0, pixels, at, 4);
        }
        return pixels;
    }

    /** Changes the pixel to the next one; returns how often it is repeated after that. */
    private static int next(ByteBuffer in, byte[] pixel, byte[][] seen) {
        int tag = u(in.get());
        if (tag == RGB || tag == RGBA) {
            in.get(pixel, 0, tag == RGB ? 3 : 4);
            return 0;
        }
        int low = tag & 0x3F;
        return switch (tag >> 6) {
            case 0 -> {
                System.arraycopy(seen[low], 0, pixel, 0, 4);
                yield 0;
            }
            case 1 -> {
                add(pixel, (low >> 4) - 2, (low >> 2 & 3) - 2, (low & 3) - 2);
                yield 0;
            }
            case 2 -> {
                int green = low - 32;
                int more = u(in.get());
                add(pixel, green + (more >> 4) - 8, green, green + (more & 0xF) - 8);
                yield 0;
            }
            default -> low;
        };
    }

    private static void add(byte[] pixel, int... differences) {
        for (int channel = 0; channel < differences.length; channel++) {
            pixel[channel] += (byte) differences[channel];
        }
    }

    private static int u(byte value) {
        return Byte.toUnsignedInt(value);
    }
}
