package farm.gantry.cost;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A print that ended, as far as it costs something: {@code hourCents} is the printer's own rate, {@code changes} is how many
 * spools were changed for it. {@code scrap} is the share of it that nobody can
 * use, 1 of one that failed or was cancelled, of others that of its rejected pieces; {@code opensOrder} that it is the
 * first of its order, whose labour it bears.
 */
public record Print(
        @Nullable String modelName,
        @Nullable Double hourCents,
        Instant startedAt,
        Instant endedAt,
        double filamentCents,
        int changes,
        boolean opensOrder,
        double scrap) {
    public double hours() {
        return Math.max(0, Duration.between(startedAt, endedAt).toMillis()) / 3_600_000.0;
    }
}
