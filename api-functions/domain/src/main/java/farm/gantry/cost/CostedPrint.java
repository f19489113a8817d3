package farm.gantry.cost;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A finished or estimated print with the data that its cost depends on. {@code spoolCents} is the cost of filament from spools with a
 * price, {@code unpricedGrams} the weight of the other filament, {@code changes} the number of spool changes. {@code scrap} is the unusable
 * share: 1 for a failed or cancelled print, else the share of rejected pieces. {@code opensOrder} is true for the first print of an order,
 * to which the labour of the order is charged.
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
