package farm.gantry.api.cost;

import io.micronaut.serde.annotation.Serdeable;
import org.jspecify.annotations.Nullable;

/** The cost of an order item: filament, time and components. If the item is not queued yet, they are estimates of its SKU. */
@Serdeable
public record ItemCost(
        String orderItemId,
        @Nullable String skuId,
        double grams,
        long seconds,
        double filamentCents,
        double componentCents,
        boolean estimated,
        boolean isComplete) {}
