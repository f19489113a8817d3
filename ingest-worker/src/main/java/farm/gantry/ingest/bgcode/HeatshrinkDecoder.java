package farm.gantry.ingest.bgcode;

import java.util.Arrays;

/** Decodes Heatshrink, a compression of literals and back references into a small window. */
final class HeatshrinkDecoder {
    private static final int LENGTH_BITS = 4;

    private HeatshrinkDecoder() {}

    /** Returns at most {@code size} bytes; back references reach as far as {@code windowBits} bits can count. */
    static byte[] decode(byte[] packed, int size, int windowBits) {
        byte[] out = new byte[size];
        long bits = packed.length * 8L;
        long at = 0;
        int length = 0;
        while (length < size && at + 9 <= bits) {
            if (readBits(packed, at, 1) == 1) {
                out[length++] = (byte) readBits(packed, at + 1, 8);
                at += 9;
            } else if (at + 1 + windowBits + LENGTH_BITS <= bits) {
                int back = readBits(packed, at + 1, windowBits) + 1;
                int count = readBits(packed, at + 1 + windowBits, LENGTH_BITS) + 1;
                for (int end = Math.min(size, length + count); length < end; length++) {
                    out[length] = length < back ? 0 : out[length - back];
                }
                at += 1 + windowBits + LENGTH_BITS;
            } else {
                break;
            }
        }
        return Arrays.copyOf(out, length);
    }

    private static int readBits(byte[] bytes, long from, int count) {
        int value = 0;
        for (long at = from; at < from + count; at++) {
            value = value << 1 | (bytes[(int) (at >> 3)] >> (7 - (int) (at & 7)) & 1);
        }
        return value;
    }
}
