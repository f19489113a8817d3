package farm.gantry.api.json;

import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

/**
 * Parses and checks instants. Those of the years 1 to 9999 are accepted, the range that JSON parsers and PostgreSQL
 * share.
 */
public final class StorableInstant {
    private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999Z");

    private StorableInstant() {}

    /**
     * Parses an ISO 8601 date, which means the start of that day in UTC, or a date-time with an offset. A space is read
     * as the plus sign of the offset, because URL decoding replaces it.
     *
     * @throws java.time.format.DateTimeParseException if the text is neither
     */
    public static Instant parse(String text) {
        return text.length() == 10
                ? LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant()
                : OffsetDateTime.parse(text.replace(' ', '+')).toInstant();
    }

    public static boolean isStorable(Instant instant) {
        return !instant.isBefore(EARLIEST) && !instant.isAfter(LATEST);
    }
}
