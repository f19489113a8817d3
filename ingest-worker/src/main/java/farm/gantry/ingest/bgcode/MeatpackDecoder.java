package farm.gantry.ingest.bgcode;

import java.io.ByteArrayOutputStream;

/** MeatPack: G-code with the fifteen commonest characters in half a byte each; 0xF means that a whole byte follows. */
final class MeatpackDecoder {
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

    private MeatpackDecoder() {}

    static byte[] unpacked(byte[] packed) {
        var parser = new MeatpackDecoder();
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
            command(one);
        } else {
            if (signals == 1) {
                signals = 0;
                letter(SIGNAL);
            }
            letter(one);
        }
    }

    private void command(int command) {
        switch (command) {
            case PACKING_ON -> packing = true;
            case PACKING_OFF, RESET -> packing = false;
            case SPACES_OFF -> spaceless = true;
            case SPACES_ON -> spaceless = false;
            default -> {}
        }
    }

    private void letter(int one) {
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
            pair(one & 0xF, one >> 4);
        }
    }

    private void pair(int first, int second) {
        if (first == WHOLE) {
            expected++;
            if (second == WHOLE) {
                expected++;
            } else {
                waiting = letterOf(second);
            }
            return;
        }
        write(letterOf(first));
        if (letterOf(first) != '\n') {
            if (second == WHOLE) {
                expected++;
            } else {
                write(letterOf(second));
            }
        }
    }

    private int letterOf(int half) {
        return half == SPACE && spaceless ? 'E' : LETTERS.charAt(half);
    }

    /** Where spaces were left out of moves they come back before each letter. */
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
