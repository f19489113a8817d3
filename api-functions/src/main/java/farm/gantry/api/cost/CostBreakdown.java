package farm.gantry.api.cost;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cost of a SKU by filament and component, in cents. {@code isComplete} is false if the weight of a filament is unknown; the totals
 * omit it.
 */
@Serdeable
public record CostBreakdown(
        String skuId,
        long totalCogs,
        double filamentCents,
        double componentCents,
        boolean isComplete,
        List<Filament> filaments,
        List<Component> components) {

    /** A filament of a linked part: the grams of one copy, and the cents of all copies; null if its file does not state the grams. */
    @Serdeable
    public record Filament(
            String linkedPartId,
            String partId,
            String label,
            int quantity,
            int index,
            @Nullable String materialType,

            @JsonInclude(JsonInclude.Include.ALWAYS) @Nullable
            Double grams,

            @Nullable Double pricePer1000g,

            @JsonInclude(JsonInclude.Include.ALWAYS) @Nullable
            Double cents) {}

    /** An amount of a cost component. */
    @Serdeable
    public record Component(
            String skuCostId,
            String costComponentId,
            String name,
            String type,
            String unit,
            double rate,
            double quantity,
            double cents) {}
}
