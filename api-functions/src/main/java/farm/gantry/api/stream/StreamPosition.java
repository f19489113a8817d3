package farm.gantry.api.stream;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A position in the event stream: after all transactions before {@code transaction} and, within that one, after its printers and its job
 * and record changes up to number {@code move}. {@code at} is its time in seconds since 1970. {@code epoch} names the database cluster
 * that numbered the transactions, see {@link ChangeRows.Horizon}; it is empty in the cluster that created the tables and the store.
 */
record StreamPosition(long transaction, long move, long at, String epoch) {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,18})-(\\d{1,18})-(\\d{1,12})(?:-([a-z0-9]{1,40}))?");
    private static final long WHOLE = 999_999_999_999_999_999L;

    /** Returns the position after everything before the horizon. */
    static StreamPosition before(ChangeRows.Horizon horizon, Instant now) {
        return new StreamPosition(horizon.transaction() - 1, WHOLE, now.getEpochSecond(), horizon.epoch());
    }

    static Optional<StreamPosition> parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        return matcher.matches()
                ? Optional.of(new StreamPosition(
                        Long.parseLong(matcher.group(1)),
                        Long.parseLong(matcher.group(2)),
                        Long.parseLong(matcher.group(3)),
                        Objects.requireNonNullElse(matcher.group(4), "")))
                : Optional.empty();
    }

    /** Returns the position after that change, in the same epoch. */
    StreamPosition next(long changedBy, long number, long seconds) {
        return new StreamPosition(changedBy, number, seconds, epoch);
    }

    /** Returns whether the database at this horizon, which may have been restored since, had this position. */
    boolean isKnownAt(ChangeRows.Horizon horizon) {
        return epoch.equals(horizon.epoch()) && transaction < horizon.transaction();
    }

    boolean isOlderThan(Duration age, Instant now) {
        return at < now.minus(age).getEpochSecond();
    }

    @Override
    public String toString() {
        return transaction + "-" + move + "-" + at + (epoch.isEmpty() ? "" : "-" + epoch);
    }
}
