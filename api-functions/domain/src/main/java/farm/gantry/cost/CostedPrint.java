package farm.gantry.cost;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A print that ended, or one that is estimated, as far as it costs something. {@code spoolCents} is the cost of the filament whose
 * price is known by its spool, {@code unpricedGrams} is the weight of the rest, and {@code changes} is how many spools were changed
 * for it. {@code scrap} is the share of it that nobody can use: 1 of a print that failed or was cancelled, of others the share of
 * rejected pieces. {@code opensOrder} is true for the first print of an order, which bears the labour of the order.
 */
public record CostedPrint(
        PrintRates rates,
        @Nullable String modelName,
        Instant startedAt,
        Instant endedAt,
        double spoolCents,
        double unpricedGrams,
        int changes,
        boolean opensOrder,
        double scrap) {
    public double hours() {
        return Math.max(0, Duration.between(startedAt, endedAt).toMillis()) / 3_600_000.0;
    }

    double filamentCents() {
        return spoolCents + unpricedGrams * rates.pricePer1000g() / 1000;
    }
}
