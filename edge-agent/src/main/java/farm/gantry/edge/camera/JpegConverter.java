package farm.gantry.edge.camera;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Iterator;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageReadParam;
import javax.imageio.ImageReader;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageInputStream;
import javax.imageio.stream.ImageOutputStream;
import javax.imageio.stream.MemoryCacheImageInputStream;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/** Converts a camera image to a JPEG of a given width. */
public final class JpegConverter {
    /** The maximum number of pixels. A file that declares more is not a camera image. */
    private static final long MAX_SIZE = 25_000_000;

    /**
     * The maximum width in pixels of an image that must be re-encoded, because a small machine lacks the memory for
     * more.
     */
    private static final int MAX_WIDTH = 1920;

    private static final float[] QUALITIES = {0.8f, 0.6f, 0.35f};

    static {
        System.setProperty("java.awt.headless", "true"); // no window system is looked for, also where there is one
    }

    private JpegConverter() {}

    /**
     * Returns a JPEG of at most {@code maxBytes} bytes and, unless {@code width} is 0, at most {@code width} pixels
     * wide.
     */
    public static byte[] toJpeg(CameraImage picture, int width, int maxBytes) throws IOException {
        byte[] bytes = picture.bytes();
        try (ImageInputStream in = new MemoryCacheImageInputStream(new ByteArrayInputStream(bytes))) {
            Iterator<ImageReader> readers = ImageIO.getImageReaders(in);
            if (!readers.hasNext()) {
                throw new IOException("the camera image cannot be decoded");
            }
            ImageReader reader = readers.next();
            try {
                reader.setInput(in, true, true);
                int shown = reader.getWidth(0);
                if ((long) shown * reader.getHeight(0) > MAX_SIZE) {
                    throw new IOException("the camera image is too large");
                }
                boolean fits = (width == 0 || shown <= width) && bytes.length <= maxBytes;
                if (fits && picture.type().equals("image/jpeg")) {
                    return bytes;
                }
                return encode(decode(reader, Math.min(width == 0 ? MAX_WIDTH : width, shown)), maxBytes);
            } catch (RuntimeException e) {
                throw new IOException("the camera image cannot be decoded", e);
            } finally {
                reader.dispose();
            }
        }
    }

    /** Decodes the image. A large image is decoded at reduced resolution, to at least twice the width. */
    private static BufferedImage decode(ImageReader reader, int width) throws IOException {
        int step = Math.max(1, reader.getWidth(0) / (2 * width));
        ImageReadParam param = reader.getDefaultReadParam();
        param.setSourceSubsampling(step, step, 0, 0);
        BufferedImage image = reader.read(0, param);
        int height = Math.max(1, Math.round((float) image.getHeight() * width / image.getWidth()));
        BufferedImage small = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                small.setRGB(x, y, meanColor(image, x, y, width, height));
            }
        }
        return small;
    }

    /** Returns the mean color of the pixels that are merged into one. */
    private static int meanColor(BufferedImage image, int x, int y, int width, int height) {
        int left = x * image.getWidth() / width;
        int right = Math.max(left + 1, (x + 1) * image.getWidth() / width);
        int top = y * image.getHeight() / height;
        int bottom = Math.max(top + 1, (y + 1) * image.getHeight() / height);
        int red = 0;
        int green = 0;
        int blue = 0;
        for (int row = top; row < bottom; row++) {
            for (int column = left; column < right; column++) {
                int pixel = image.getRGB(column, row);
                red += (pixel >> 16) & 0xFF;
                green += (pixel >> 8) & 0xFF;
                blue += pixel & 0xFF;
            }
        }
        int count = (right - left) * (bottom - top);
        return ((red / count) << 16) | ((green / count) << 8) | (blue / count);
    }

    private static byte[] encode(BufferedImage image, int maxBytes) throws IOException {
        ImageWriter writer = ImageIO.getImageWritersByFormatName("jpeg").next();
        try {
            ImageWriteParam param = writer.getDefaultWriteParam();
            param.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
            for (float quality : QUALITIES) {
                param.setCompressionQuality(quality);
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                try (ImageOutputStream out = new MemoryCacheImageOutputStream(bytes)) {
                    writer.setOutput(out);
                    writer.write(null, new IIOImage(image, null, null), param);
                }
                if (bytes.size() <= maxBytes) {
                    return bytes.toByteArray();
                }
            }
            throw new IOException("the camera image is too large to send");
        } finally {
            writer.dispose();
        }
    }
}
