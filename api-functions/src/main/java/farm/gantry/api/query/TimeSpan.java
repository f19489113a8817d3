package farm.gantry.api.query;

import farm.gantry.api.error.ProblemException;
import farm.gantry.api.json.StorableInstant;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The time that a report is about. */
public record TimeSpan(Instant from, Instant to) {
    private static final Duration DEFAULT_DURATION = Duration.ofDays(30);
    private static final Duration MAX_DURATION = Duration.ofDays(366);

    /** From the parameters {@code from} and {@code to}: by default the last 30 days. */
    public static TimeSpan of(@Nullable Instant from, @Nullable Instant to, Instant now) {
        Instant end = requireStorable("to", to == null ? now : to);
        Instant begin = requireStorable("from", from == null ? end.minus(DEFAULT_DURATION) : from);
        if (!begin.isBefore(end)) {
            throw ProblemException.invalid("from", "range", "from must be before to");
        }
        return new TimeSpan(begin, end);
    }

    /** Returns the period, limited to 366 days. */
    public static TimeSpan ofOneYear(@Nullable Instant from, @Nullable Instant to, Instant now) {
        TimeSpan span = of(from, to, now);
        if (Duration.between(span.from, span.to).compareTo(MAX_DURATION) > 0) {
            throw ProblemException.invalid("from", "range", "from must be before to, by 366 days at most");
        }
        return span;
    }

    private static Instant requireStorable(String parameter, Instant instant) {
        if (!StorableInstant.isStorable(instant)) {
            throw ProblemException.invalid(parameter, "range", parameter + " must lie in the years 1 to 9999");
        }
        return instant;
    }
}
