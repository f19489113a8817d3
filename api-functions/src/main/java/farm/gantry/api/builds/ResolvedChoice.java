package farm.gantry.api.builds;

import com.fasterxml.jackson.annotation.JsonInclude;
import farm.gantry.Id;
import farm.gantry.annotation.Default;
import farm.gantry.annotation.Example;
import farm.gantry.builds.PartPlan;
import farm.gantry.material.Assignment;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The parts that one unit of a SKU would be printed as, for the chosen options. */
@Serdeable
record ResolvedChoice(String skuId, List<ResolvedPart> linkedParts) {

    /** The chosen option values of a SKU, and the buyer's text. */
    @Serdeable
    @Example("""
            {"optionValueIds": ["0mwq3f7k2v9x4b8n1c6z5t0t"], "personalization": "Ada"}""")
    record Choice(
            @Default("[]") @Size(max = 20) List<@Pattern(regexp = Id.PATTERN) String> optionValueIds,

            @Nullable @Size(max = 2000) String personalization) {}

    /** A linked part as it would be printed; {@code parameters} replace the part's own values, {@code quantity} is per unit of the SKU. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record ResolvedPart(
            String linkedPartId,
            String partId,
            @Nullable String label,
            int quantity,
            Map<String, Object> parameters,
            @Nullable Map<String, List<Assignment>> materials,
            @Nullable Map<String, Integer> plateQuantities) {

        static ResolvedPart of(String linkedPartId, PartPlan plan) {
            return new ResolvedPart(
                    linkedPartId,
                    plan.part().id(),
                    plan.label(),
                    plan.quantity(),
                    plan.parameters(),
                    plan.materials().isEmpty() ? null : plan.materials(),
                    plan.plateQuantities());
        }
    }
}
