package farm.gantry;

import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A record id: 24 characters of {@code [a-z0-9]}. The first nine are the millisecond of its making in base 36 and the next
 * two count the ids of this process in that millisecond, so that later ids sort later and inserts stay local in an index;
 * the rest (67 bits) are random.
 */
public final class Id {
    public static final String PATTERN = "^[a-z0-9]{24}$";

    private static final Pattern VALID = Pattern.compile(PATTERN);
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int LENGTH = 24;
    private static final int TIME = 11;
    private static final int BASE = 36;
    private static final long COUNTED = BASE * BASE;
    private static final AtomicLong LAST = new AtomicLong();
    /** Bytes from here on would make some characters likelier than others. */
    private static final int EVEN = 256 / BASE * BASE;

    private static final int SPARE = 4;

    private Id() {}

    public static String next() {
        long earliest = System.currentTimeMillis() * COUNTED;
        return padded(LAST.accumulateAndGet(earliest, (last, now) -> Math.max(last + 1, now)), TIME)
                + random(LENGTH - TIME);
    }

    /** Returns new ids in ascending order, which lists use for records with equal times. */
    public static List<String> generateAscending(int count) {
        return Stream.generate(Id::next).limit(count).sorted().toList();
    }

    public static boolean isValid(String text) {
        return VALID.matcher(text).matches();
    }

    /** Returns random characters of {@code [a-z0-9]}, reading the secure source once for all of them. */
    public static String random(int length) {
        StringBuilder text = new StringBuilder(length);
        byte[] bytes = new byte[length + SPARE];
        while (text.length() < length) {
            RANDOM.nextBytes(bytes);
            for (int i = 0; i < bytes.length && text.length() < length; i++) {
                int number = Byte.toUnsignedInt(bytes[i]);
                if (number < EVEN) {
                    text.append(Character.forDigit(number % BASE, BASE));
                }
            }
        }
        return text.toString();
    }

    /** A number in base 36 with leading zeros. */
    public static String padded(long number, int length) {
        String digits = Long.toString(number, BASE);
        return "0".repeat(length - digits.length()) + digits;
    }
}
