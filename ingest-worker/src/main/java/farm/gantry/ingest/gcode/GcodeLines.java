package farm.gantry.ingest.gcode;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;

/** The lines of a piece of G-code, classified by their first bytes, so that moves are not decoded. */
final class GcodeLines {
    private GcodeLines() {}

    /** Passes every comment and temperature line to the consumer, without its line end. */
    static void forEachLine(byte[] text, Consumer<String> consumer) {
        int start = 0;
        while (start < text.length) {
            int end = lineEnd(text, start);
            if (isRelevant(text, start, end)) {
                consumer.accept(decoded(text, start, end));
            }
            start = end + 1;
        }
    }

    static boolean containsMove(byte[] text) {
        for (int start = 0; start < text.length; start = lineEnd(text, start) + 1) {
            if (isMove(text, start)) {
                return true;
            }
        }
        return false;
    }

    /** Searches from the end, where the last layer is. */
    static boolean containsLayer(byte[] text) {
        for (int at = text.length - 1; at > 0; at--) {
            if (text[at - 1] == '\n' && (isAt(text, at, ";Z:") || isAt(text, at, ";LAYER:"))) {
                return true;
            }
        }
        return false;
    }

    /** Without the incomplete last line. */
    static byte[] withoutLastLine(byte[] text) {
        int end = text.length;
        while (end > 0 && text[end - 1] != '\n') {
            end--;
        }
        return Arrays.copyOf(text, end);
    }

    static byte[] withoutFirstLine(byte[] text) {
        return Arrays.copyOfRange(text, Math.min(text.length, lineEnd(text, 0) + 1), text.length);
    }

    private static int lineEnd(byte[] text, int from) {
        int end = from;
        while (end < text.length && text[end] != '\n') {
            end++;
        }
        return end;
    }

    private static boolean isMove(byte[] text, int start) {
        return start + 2 < text.length
                && text[start] == 'G'
                && text[start + 1] >= '0'
                && text[start + 1] <= '3'
                && text[start + 2] == ' ';
    }

    /** Comments, and the commands that heat bed and nozzle. */
    private static boolean isRelevant(byte[] text, int start, int end) {
        return end > start
                && (text[start] == ';'
                        || isAt(text, start, "M104")
                        || isAt(text, start, "M109")
                        || isAt(text, start, "M140")
                        || isAt(text, start, "M190"));
    }

    private static boolean isAt(byte[] text, int start, String sign) {
        if (start + sign.length() > text.length) {
            return false;
        }
        for (int index = 0; index < sign.length(); index++) {
            if (text[start + index] != sign.charAt(index)) {
                return false;
            }
        }
        return true;
    }

    private static String decoded(byte[] text, int start, int end) {
        int last = text[end - 1] == '\r' ? end - 1 : end;
        return new String(text, start, last - start, StandardCharsets.UTF_8);
    }
}
