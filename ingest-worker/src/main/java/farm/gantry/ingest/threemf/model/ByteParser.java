package farm.gantry.ingest.threemf.model;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads short texts and plain numbers from bytes, eight at a time as one {@code long} whose lowest byte comes first. What
 * is not found leaves the place anywhere.
 */
final class ByteParser {
    /** The number of bytes beyond the last that may be read; their content does not matter. */
    static final int BEYOND = 256;

    /** As many digits as a double holds exactly. */
    private static final int MAX_DIGITS = 15;
    /** With no more than these, rounding to a double and then to a float is as good as rounding to a float. */
    private static final int MAX_DECIMALS = 12;

    private static final int KEPT_WORDS = 256;
    private static final int WORD = Long.BYTES;
    private static final VarHandle WORDS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ZEROS = 0x3030303030303030L;
    private static final long SPACES = 0x2020202020202020L;
    /** Of the characters in a number, only digits have this bit set. */
    private static final long DIGIT_BITS = 0x1010101010101010L;

    private static final long TO_HIGH_BIT = 0x7676767676767676L;
    private static final long HIGH_BITS = 0x8080808080808080L;
    private static final long EVERY_FOURTH = 0x000000FF000000FFL;
    /** The bits of a double that a float does not have. */
    private static final long NOT_OF_FLOAT = 0x1FFFFFFFL;

    private static final long HALF_WAY = 0x10000000L;
    /** The powers of ten that a double holds exactly. */
    private static final double[] TENS = new double[23];

    static {
        Arrays.setAll(TENS, exponent -> Math.pow(10, exponent));
    }

    /** An ASCII text: its first eight characters, the eight behind them, and the rest. */
    record Token(long first, long firstMask, long second, long secondMask, String rest, String text) {
        static Token of(String text) {
            byte[] bytes =
                    Arrays.copyOf(text.getBytes(StandardCharsets.US_ASCII), Math.max(text.length(), WORD + WORD));
            return new Token(
                    (long) WORDS.get(bytes, 0),
                    mask(text.length()),
                    (long) WORDS.get(bytes, WORD),
                    mask(text.length() - WORD),
                    text.substring(Math.min(text.length(), WORD + WORD)),
                    text);
        }

        private static long mask(int length) {
            return length <= 0 ? 0 : -1L >>> (Long.SIZE - Byte.SIZE * Math.min(length, WORD));
        }
    }

    private static final Token END = Token.of("\"/>");
    private static final Token SPACED_END = Token.of("\" />");

    private final byte[] bytes;
    /** Cache of words by their hashes, because a file repeats few words. */
    private final @Nullable Token[] words = new Token[KEPT_WORDS];

    private @Nullable Token lastWord;

    private int at;

    ByteParser(byte[] bytes) {
        this.bytes = bytes;
    }

    int at() {
        return at;
    }

    void moveTo(int place) {
        at = place;
    }

    boolean skip(Token token) {
        if (((readWord(at) ^ token.first) & token.firstMask) != 0
                || ((readWord(at + WORD) ^ token.second) & token.secondMask) != 0
                || !isRest(token.rest)) {
            return false;
        }
        at += token.text.length();
        return true;
    }

    private boolean isRest(String rest) {
        return rest.isEmpty() || isAt(at + WORD + WORD, rest);
    }

    /** Skips the closing quote of an element's last attribute and the end of the element. */
    boolean skipEnd() {
        return skip(END) || skip(SPACED_END);
    }

    void skipBlanks(int limit) {
        while (at < limit && isBlank(bytes[at])) {
            at++;
            int spaces = Long.numberOfTrailingZeros(readWord(at) ^ SPACES) / Byte.SIZE;
            at = Math.min(at + spaces, limit);
        }
    }

    private static boolean isBlank(byte letter) {
        return letter == ' ' || letter == '\n' || letter == '\r' || letter == '\t';
    }

    /**
     * A number of digits with or without a sign, decimals and an exponent; NaN where there is none, or one written
     * otherwise.
     */
    float decimal() {
        int begin = at;
        int sign = bytes[at] == '-' ? -1 : 1;
        int from = sign < 0 ? at + 1 : at;
        long start = readWord(from);
        int whole = digitCount(start);
        if (whole == 0 || whole == WORD) {
            return Float.NaN;
        }
        int point = from + whole;
        if (bytes[point] != '.') {
            at = point;
            return decimal(begin, sign, value(start, whole), 0);
        }
        long behind = readWord(point + 1);
        int decimals = digitCount(behind);
        decimals += decimals == WORD ? digitCount(readWord(point + 1 + WORD)) : 0;
        int count = whole + decimals;
        int rest = Math.max(0, count - WORD);
        if (decimals == 0 || count > MAX_DIGITS || decimals > MAX_DECIMALS) {
            return Float.NaN;
        }
        at = point + 1 + decimals;
        int bits = Byte.SIZE * whole;
        long withoutPoint = (start & ~(-1L << bits)) | (behind << bits);
        long first = value(withoutPoint, count - rest);
        long last = value(readWord(from + 1 + WORD), rest);
        return decimal(begin, sign, (first | last) < 0 ? -1 : first * Math.round(TENS[rest]) + last, decimals);
    }

    /** The number that begins there, of so many decimals; negative digits are none. */
    private float decimal(int begin, int sign, long digits, int decimals) {
        if (digits < 0) {
            return Float.NaN;
        }
        double number = sign * (double) digits;
        return (bytes[at] | ' ') == 'e' ? withExponent(begin, number, decimals) : (float) (number / TENS[decimals]);
    }

    /**
     * A quotient of numbers that a double holds is rounded well, and so is the float of it that is not half-way between
     * two.
     */
    private float withExponent(int begin, double digits, int decimals) {
        at++;
        boolean isSmall = bytes[at] == '-';
        at += isSmall || bytes[at] == '+' ? 1 : 0;
        long word = readWord(at);
        int count = digitCount(word);
        long exponent = count == 0 || count == WORD ? -1 : value(word, count);
        if (exponent < 0) {
            return Float.NaN;
        }
        at += count;
        long places = decimals + (isSmall ? exponent : -exponent);
        if (places >= 0 && places < TENS.length) {
            double number = digits / TENS[(int) places];
            if ((Double.doubleToRawLongBits(number) & NOT_OF_FLOAT) != HALF_WAY) {
                return (float) number;
            }
        }
        return Float.parseFloat(new String(bytes, begin, at - begin, StandardCharsets.US_ASCII));
    }

    /** Parses at most seven digits without leading zeros. Returns -1 if there is no such number. */
    int parseWhole() {
        long word = readWord(at);
        int count = digitCount(word);
        boolean padded = bytes[at] == '0' && count > 1;
        at += count;
        return padded || count == 0 || count == WORD ? -1 : (int) Math.max(-1, value(word, count));
    }

    private long readWord(int from) {
        return (long) WORDS.get(bytes, from);
    }

    /** How many bytes of a word come before the first that cannot be a digit. */
    private static int digitCount(long word) {
        return Long.numberOfTrailingZeros(~word & DIGIT_BITS) / Byte.SIZE;
    }

    /** The number that the first bytes of a word are; negative if not all of them are digits. */
    private static long value(long word, int count) {
        int unused = (Long.SIZE - Byte.SIZE * count) / 2;
        long digits = (word ^ ZEROS) << unused << unused;
        long pairs = digits * 10 + (digits >>> 8);
        long number = ((pairs & EVERY_FOURTH) * (100 + (1_000_000L << 32))
                        + ((pairs >>> 16) & EVERY_FOURTH) * (1 + (10_000L << 32)))
                >>> 32;
        return (((digits + TO_HIGH_BIT) | digits) & HIGH_BITS) == 0 ? number : -1;
    }

    /** Parses letters and digits. Returns null if there are none before the limit. */
    @Nullable
    String parseLetters(int limit) {
        int from = at;
        Token last = lastWord;
        if (last != null && skip(last) && !isWord(bytes[at])) {
            return last.text;
        }
        at = from;
        int hash = 0;
        while (at < limit && isWord(bytes[at])) {
            hash = hash * 31 + bytes[at++];
        }
        if (at == from) {
            return null;
        }
        int place = (hash ^ (hash >>> 8)) & (words.length - 1);
        Token known = words[place];
        if (known == null || known.text.length() != at - from || !isAt(from, known.text)) {
            known = Token.of(new String(bytes, from, at - from, StandardCharsets.US_ASCII));
            words[place] = known;
        }
        lastWord = known;
        return known.text;
    }

    private static boolean isWord(byte letter) {
        return (letter >= '0' && letter <= '9') || (letter >= 'A' && letter <= 'Z') || (letter >= 'a' && letter <= 'z');
    }

    private boolean isAt(int from, String word) {
        for (int index = 0; index < word.length(); index++) {
            if (word.charAt(index) != bytes[from + index]) {
                return false;
            }
        }
        return true;
    }
}
