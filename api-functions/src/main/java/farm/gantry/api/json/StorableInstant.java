package farm.gantry.api.json;

import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

/** The times that are taken: those of the years 1 to 9999, which JSON's readers and PostgreSQL agree on. */
public final class StorableInstant {
    private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999Z");

    private StorableInstant() {}

    /**
     * Of an ISO 8601 date, whose first moment in UTC is meant, or date-time with offset, whose + may have come as a space.
     *
     * @throws java.time.format.DateTimeParseException where it is neither
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
