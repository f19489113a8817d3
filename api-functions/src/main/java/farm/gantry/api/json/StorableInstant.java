package farm.gantry.api.json;

import java.time.Instant;

/** The times that are taken: those of the years 1 to 9999, which JSON's readers and PostgreSQL agree on. */
public final class StorableInstant {
    private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999Z");

    private StorableInstant() {}

    public static boolean isStorable(Instant instant) {
        return !instant.isBefore(EARLIEST) && !instant.isAfter(LATEST);
    }
}
