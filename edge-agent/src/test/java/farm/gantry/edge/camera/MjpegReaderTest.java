package farm.gantry.edge.camera;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class MjpegReaderTest {
    /** A JPEG with an embedded thumbnail, a scan with a stuffed byte and a restart marker, and a second scan. */
    private static final String IMAGE =
            "ffd8 ffe1 000a ffd8ffd911223344 ffda 0003 01 a1ff00b2ffd0c3" + " ffc4 0004 5566 ffda 0003 01 d4 ffd9";

    @Test
    void firstImageIsExtractedCompletely() throws Exception {
        byte[] image = bytes(IMAGE);
        byte[] before = "--frame\r\nContent-Length: 7\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        SequenceInputStream film = new SequenceInputStream(
                new SequenceInputStream(new ByteArrayInputStream(before), new ByteArrayInputStream(image)),
                new ByteArrayInputStream(bytes("ffd8 ffd9")));
        assertThat(MjpegReader.readFirstImage(film).bytes()).isEqualTo(image);
    }

    @Test
    void interruptedVideoYieldsNoImage() {
        byte[] image = bytes(IMAGE);
        for (int length = 0; length < image.length; length++) {
            ByteArrayInputStream film = new ByteArrayInputStream(image, 0, length);
            assertThatThrownBy(() -> MjpegReader.readFirstImage(film)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void streamWithoutAnImageStopsAtTheSizeLimit() {
        ByteArrayInputStream film = new ByteArrayInputStream(new byte[CameraImage.MAX_SIZE + 10]);
        assertThatThrownBy(() -> MjpegReader.readFirstImage(film)).hasMessageContaining("too large");
    }

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }
}
