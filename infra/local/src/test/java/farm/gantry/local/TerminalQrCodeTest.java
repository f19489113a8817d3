package farm.gantry.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.zxing.BinaryBitmap;
import com.google.zxing.RGBLuminanceSource;
import com.google.zxing.common.HybridBinarizer;
import com.google.zxing.qrcode.QRCodeReader;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TerminalQrCodeTest {
    private static final int SIDE = 4;

    /** Decodes the printed QR code from an image, as a camera does. */
    @Test
    void terminalQrCodeIsDecodedToTheLink() throws Exception {
        String link = "http://localhost:8080/console/#code=" + "0mwq4zk81x".repeat(5);
        List<String> lines = TerminalQrCode.render(link)
                .replaceAll("\u001b\\[[0-9;]*m", "")
                .lines()
                .toList();
        int width = lines.getFirst().length() * SIDE;
        int height = lines.size() * 2 * SIDE;
        int[] pixels = new int[width * height];
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                char cell = lines.get(y / SIDE / 2).charAt(x / SIDE);
                boolean isUpper = y / SIDE % 2 == 0;
                boolean isDark = cell == '\u2588' || cell == (isUpper ? '\u2580' : '\u2584');
                pixels[y * width + x] = isDark ? 0 : 0xFFFFFF;
            }
        }
        BinaryBitmap seen = new BinaryBitmap(new HybridBinarizer(new RGBLuminanceSource(width, height, pixels)));
        assertThat(new QRCodeReader().decode(seen).getText()).isEqualTo(link);
    }
}
