package farm.gantry.api.cost;

import farm.gantry.cost.CostBasis;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cost of an order, in cents of {@code currency}: the store's, or, once all is printed, the currency in which its last print was
 * counted. Prints that ended are counted at the rates of that time, the others are estimated at the rates of today. {@code price} is
 * the order's, and {@code marginCents} what is left of it; that is null where there is no price in that currency.
 * {@code marginPerHourCents} is the margin for each hour of printing, from start to end. {@code scrapCents} is the part of the others
 * that went into failed pieces, and {@code basis} says of each figure whether it was measured. {@code grams} and {@code seconds}
 * are those of jobs that ended as their printers counted them, failed ones included, and the estimates of others.
 * {@code estimated} tells whether any of it is an estimate still. {@code isComplete} is false where the weight of a filament is
 * unknown, or prints were counted in another currency: grams, cents and margin leave them out.
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
