package farm.gantry.api.cost;

import io.micronaut.serde.annotation.Serdeable;
import org.jspecify.annotations.Nullable;

/** The filament, time and components of one item of an order; of an item that is not queued yet, the estimates of its SKU. */
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
