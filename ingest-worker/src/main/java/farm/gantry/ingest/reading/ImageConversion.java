package farm.gantry.ingest.reading;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Iterator;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import org.jspecify.annotations.Nullable;

/** Converts the image formats that slicers write to PNG, which every browser and printer shows. */
public final class ImageConversion {
    private ImageConversion() {}

    /** Converts an image to PNG. Returns null if the format is unknown or the image is too large to decode safely. */
    public static byte @Nullable [] toPng(byte[] image) {
        if (image.length < 4) {
            return null;
        }
        return switch (image[0]) {
            case (byte) 0x89 -> Png.isSafe(image) ? image : null;
            case 'q' -> QoiDecoder.toPng(image);
            case (byte) 0xFF -> toPng(image, "jpeg");
            case 'B' -> toPng(image, "bmp");
            default -> null;
        };
    }

    private static byte @Nullable [] toPng(byte[] image, String format) {
        Iterator<ImageReader> readers = ImageIO.getImageReadersByFormatName(format);
        ImageReader reader = readers.next();
        try (ImageInputStream in = ImageIO.createImageInputStream(new ByteArrayInputStream(image))) {
            reader.setInput(in, true, true);
            int width = reader.getWidth(0);
            int height = reader.getHeight(0);
            return Png.isSide(width) && Png.isSide(height) ? Png.encode(width, height, rgba(reader.read(0))) : null;
        } catch (IOException | RuntimeException broken) {
            return null;
        } finally {
            reader.dispose();
        }
    }

    private static byte[] rgba(BufferedImage image) {
        byte[] pixels = new byte[image.getWidth() * image.getHeight() * 4];
        int at = 0;
        for (int y = 0; y < image.getHeight(); y++) {
            for (int x = 0; x < image.getWidth(); x++) {
                int color = image.getRGB(x, y);
                pixels[at++] = (byte) (color >> 16);
                pixels[at++] = (byte) (color >> 8);
                pixels[at++] = (byte) color;
                pixels[at++] = (byte) (color >>> 24);
            }
        }
        return pixels;
    }
}
