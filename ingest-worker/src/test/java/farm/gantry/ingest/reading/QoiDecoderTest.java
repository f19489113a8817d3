package farm.gantry.ingest.reading;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;

class QoiDecoderTest {
    private static byte[] image(int width, int height, int... data) {
        var bytes = ByteBuffer.allocate(14 + data.length + 8)
                .putInt(0x716F6966)
                .putInt(width)
                .putInt(height)
                .put((byte) 4)
                .put((byte) 0);
        for (int value : data) {
            bytes.put((byte) value);
        }
        return bytes.array();
    }

    @Test
    void everyQoiPixelEncodingIsConvertedToPng() throws IOException {
        byte[] png = Objects.requireNonNull(QoiDecoder.toPng(image(
                6,
                1,
                0xFE,
                10,
                20,
                30, // red, green, blue
                0xC0, // the same once more
                0x40 | 3 << 4 | 2 << 2 | 1, // one more red, one less blue
                0x80 | 32 + 5,
                8 << 4 | 8, // five more of each
                0xFF,
                1,
                2,
                3,
                4, // with alpha
                (10 * 3 + 20 * 5 + 30 * 7 + 255 * 11) % 64))); // the first again
        var image = ImageIO.read(new ByteArrayInputStream(png));
        int[] pixels = image.getRGB(0, 0, 6, 1, null, 0, 6);
        assertThat(pixels).containsExactly(0xFF0A141E, 0xFF0A141E, 0xFF0B141D, 0xFF101922, 0x04010203, 0xFF0A141E);
    }

    @Test
    void truncatedOrOversizedImageIsHandled() {
        assertThat(QoiDecoder.toPng(image(4, 4))).isNotNull();
        assertThat(QoiDecoder.toPng(image(1 << 30, 1 << 30))).isNull();
        assertThat(QoiDecoder.toPng(new byte[3])).isNull();
    }
}
