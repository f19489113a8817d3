package farm.gantry.api.cost;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The filaments and components of a SKU's total, in cents. {@code isComplete} is false where the weight of a filament is unknown:
 * the totals leave it out.
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

    /** One filament of one linked part: the grams of one copy, and the cents of all; null where its file does not say them. */
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
