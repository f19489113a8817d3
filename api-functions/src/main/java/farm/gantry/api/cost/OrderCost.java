package farm.gantry.api.cost;

import farm.gantry.cost.CostBasis;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cost of an order, in cents of {@code currency}: the store's, or for a completely printed order the currency of its last print.
 * Finished prints use the rates of their time, others are estimated at today's rates. {@code price} is the order's price and {@code
 * marginCents} the price less the cost, null without a price in that currency. {@code marginPerHourCents} is the margin per hour of
 * printing, from start to end. {@code scrapCents} is the part of the cost spent on failed pieces; {@code basis} says which figures are
 * measured. {@code grams} and {@code seconds} are measured for finished jobs, including failed ones, and estimated for others. {@code
 * estimated} is true if any figure is still an estimate. {@code isComplete} is false if the weight of a filament is unknown or prints were
 * counted in another currency; grams, cents and margin omit these.
 */
@Serdeable
public record OrderCost(
        String orderId,
        String currency,
        @Nullable Long price,
        double grams,
        long seconds,
        double filamentCents,
        double componentCents,
        double machineCents,
        double energyCents,
        double labourCents,
        double scrapCents,
        long totalCents,
        @Nullable Long marginCents,
        @Nullable Double marginPerHourCents,
        boolean estimated,
        boolean isComplete,
        CostBasis basis,
        List<ItemCost> items) {}
