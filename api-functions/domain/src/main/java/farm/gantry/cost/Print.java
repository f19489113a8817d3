package farm.gantry.cost;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A print that ended, as far as it costs something: {@code hourCents} is the printer's own rate, {@code changes} is how many
 * spools were changed for it. {@code isScrap} is that it failed, was cancelled or rejected; {@code opensOrder} that it is the
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
        boolean isScrap) {
    public double hours() {
        return Math.max(0, Duration.between(startedAt, endedAt).toMillis()) / 3_600_000.0;
    }
}
