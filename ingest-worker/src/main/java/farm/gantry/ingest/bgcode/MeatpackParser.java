package farm.gantry.ingest.bgcode;

import java.io.ByteArrayOutputStream;

/**
 * Decodes MeatPack, which stores the fifteen most frequent characters of G-code in half a byte each; 0xF means that a
 * whole byte follows.
 */
final class MeatpackParser {
    private static final int SIGNAL = 0xFF;
    private static final int PACKING_ON = 251;
    private static final int PACKING_OFF = 250;
    private static final int RESET = 249;
    private static final int SPACES_OFF = 247;
    private static final int SPACES_ON = 246;
    private static final int WHOLE = 0xF;
    private static final String LETTERS = "0123456789. \nGX";
    private static final int SPACE = 11;

    private final ByteArrayOutputStream text = new ByteArrayOutputStream();
    private boolean packing;
    private boolean spaceless;
    private int signals;
    private int expected;
    private int waiting = -1;
    private boolean lineIsMove;
    private int before = '\n';

    private MeatpackParser() {}

    static byte[] decode(byte[] packed) {
        var parser = new MeatpackParser();
        for (byte one : packed) {
            parser.accept(Byte.toUnsignedInt(one));
        }
        return parser.text.toByteArray();
    }

    private void accept(int one) {
        if (one == SIGNAL && signals < 2) {
            signals++;
        } else if (signals == 2) {
            signals = 0;
            applyCommand(one);
        } else {
            if (signals == 1) {
                signals = 0;
                acceptByte(SIGNAL);
            }
            acceptByte(one);
        }
    }

    private void applyCommand(int command) {
        switch (command) {
            case PACKING_ON -> packing = true;
            case PACKING_OFF, RESET -> packing = false;
            case SPACES_OFF -> spaceless = true;
            case SPACES_ON -> spaceless = false;
            default -> {}
        }
    }

    private void acceptByte(int one) {
        if (!packing) {
            write(one);
        } else if (expected > 0) {
            write(one);
            expected--;
            if (waiting >= 0) {
                write(waiting);
                waiting = -1;
            }
        } else {
            writePair(one & 0xF, one >> 4);
        }
    }

    private void writePair(int first, int second) {
        if (first == WHOLE) {
            expected++;
            if (second == WHOLE) {
                expected++;
            } else {
                waiting = decodeHalf(second);
            }
            return;
        }
        write(decodeHalf(first));
        if (decodeHalf(first) != '\n') {
            if (second == WHOLE) {
                expected++;
            } else {
                write(decodeHalf(second));
            }
        }
    }

    private int decodeHalf(int half) {
        return half == SPACE && spaceless ? 'E' : LETTERS.charAt(half);
    }

    /** Writes a character. If the encoder removed the spaces of moves, adds one before each letter. */
    private void write(int letter) {
        if (before == '\n') {
            lineIsMove = letter == 'G';
        } else if (spaceless && lineIsMove && letter >= 'A' && letter <= 'Z' && before != ' ') {
            text.write(' ');
        }
        text.write(letter);
        before = letter;
    }
}
