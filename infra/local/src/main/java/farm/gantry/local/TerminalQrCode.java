package farm.gantry.local;

import com.google.zxing.WriterException;
import com.google.zxing.qrcode.decoder.ErrorCorrectionLevel;
import com.google.zxing.qrcode.encoder.ByteMatrix;
import com.google.zxing.qrcode.encoder.Encoder;

/**
 * Renders a QR code for a terminal: dark on light, independent of the terminal's colors, with two rows of the code per
 * line.
 */
final class TerminalQrCode {
    private static final int QUIET_ZONE = 2;
    private static final String DARK_ON_LIGHT = "\u001b[30;107m";
    private static final String END = "\u001b[0m\n";

    private TerminalQrCode() {}

    static String render(String text) {
        ByteMatrix code;
        try {
            code = Encoder.encode(text, ErrorCorrectionLevel.L).getMatrix();
        } catch (WriterException e) {
            throw new IllegalArgumentException(
                    "a text of " + text.length() + " characters is too long for a QR code", e);
        }
        StringBuilder lines = new StringBuilder();
        for (int y = -QUIET_ZONE; y < code.getHeight() + QUIET_ZONE; y += 2) {
            lines.append(DARK_ON_LIGHT);
            for (int x = -QUIET_ZONE; x < code.getWidth() + QUIET_ZONE; x++) {
                boolean above = isDark(code, x, y);
                boolean below = isDark(code, x, y + 1);
                lines.append(above && below ? '\u2588' : above ? '\u2580' : below ? '\u2584' : ' ');
            }
            lines.append(END);
        }
        return lines.toString();
    }

    private static boolean isDark(ByteMatrix code, int x, int y) {
        return x >= 0 && y >= 0 && x < code.getWidth() && y < code.getHeight() && code.get(x, y) == 1;
    }
}
