package farm.gantry.edge.camera;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;

final class JpegConverterTest {
    private static final int PLENTY = 1 << 20;

    /** Returns an image that is red on the left and blue on the right. */
    private static BufferedImage halves(int width, int height) {
        BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        for (int x = 0; x < width; x++) {
            for (int y = 0; y < height; y++) {
                image.setRGB(x, y, (x < width / 2 ? Color.RED : Color.BLUE).getRGB());
            }
        }
        return image;
    }

    private static CameraImage picture(BufferedImage image, String format) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ImageIO.write(image, format, bytes);
        return CameraImage.of(bytes.toByteArray());
    }

    private static BufferedImage shown(byte[] jpeg) throws IOException {
        assertThat(CameraImage.of(jpeg).type()).isEqualTo("image/jpeg");
        return ImageIO.read(new ByteArrayInputStream(jpeg));
    }

    @Test
    void largeImageIsScaledToTheTileWidth() throws IOException {
        for (String format : new String[] {"jpeg", "png"}) {
            BufferedImage small = shown(JpegConverter.toJpeg(picture(halves(1920, 1080), format), 320, PLENTY));
            assertThat(small.getWidth()).isEqualTo(320);
            assertThat(small.getHeight()).isEqualTo(180);
            assertThat(new Color(small.getRGB(40, 90)).getRed()).isGreaterThan(230);
            assertThat(new Color(small.getRGB(280, 90)).getBlue()).isGreaterThan(230);
        }
    }

    @Test
    void jpegWithinTheLimitsIsNotChanged() throws IOException {
        CameraImage picture = picture(halves(300, 200), "jpeg");
        assertThat(JpegConverter.toJpeg(picture, 320, PLENTY)).isEqualTo(picture.bytes());
        assertThat(JpegConverter.toJpeg(picture, 0, PLENTY)).isEqualTo(picture.bytes());
        assertThat(shown(JpegConverter.toJpeg(picture(halves(300, 200), "png"), 0, PLENTY))
                        .getWidth())
                .isEqualTo(300);
    }

    @Test
    void noisyImageIsCompressedToTheSizeLimit() throws IOException {
        BufferedImage grain = new BufferedImage(320, 240, BufferedImage.TYPE_INT_RGB);
        Random random = new Random(1);
        for (int x = 0; x < 320; x++) {
            for (int y = 0; y < 240; y++) {
                grain.setRGB(x, y, random.nextInt());
            }
        }
        assertThat(JpegConverter.toJpeg(picture(grain, "png"), 320, 40_000)).hasSizeLessThanOrEqualTo(40_000);
        assertThatThrownBy(() -> JpegConverter.toJpeg(picture(grain, "png"), 320, 4_000))
                .isInstanceOf(IOException.class);
    }

    @Test
    void truncatedImageIsRefused() throws IOException {
        byte[] cut = Arrays.copyOf(picture(halves(64, 64), "png").bytes(), 30);
        assertThatThrownBy(() -> JpegConverter.toJpeg(CameraImage.of(cut), 320, PLENTY))
                .isInstanceOf(IOException.class);
    }
}
