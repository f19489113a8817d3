package farm.gantry.api.stream;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A position in the event stream: after all transactions before {@code transaction} and, within that one, after its printers and its job
 * and record changes up to number {@code move}. {@code at} is its time in seconds since 1970.
 */
record StreamPosition(long transaction, long move, long at) {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,18})-(\\d{1,18})-(\\d{1,12})");
    private static final long WHOLE = 999_999_999_999_999_999L;

    /** Returns the position after everything before that transaction. */
    static StreamPosition before(long transaction, Instant now) {
        return new StreamPosition(transaction - 1, WHOLE, now.getEpochSecond());
    }

    static Optional<StreamPosition> parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        return matcher.matches()
                ? Optional.of(new StreamPosition(
                        Long.parseLong(matcher.group(1)),
                        Long.parseLong(matcher.group(2)),
                        Long.parseLong(matcher.group(3))))
                : Optional.empty();
    }

    boolean isOlderThan(Duration age, Instant now) {
        return at < now.minus(age).getEpochSecond();
    }

    @Override
    public String toString() {
        return transaction + "-" + move + "-" + at;
    }
}
