package farm.gantry.sku;

import farm.gantry.CreateOnly;
import farm.gantry.Default;
import farm.gantry.Example;
import farm.gantry.Id;
import farm.gantry.Permission;
import farm.gantry.References;
import farm.gantry.Resource;
import farm.gantry.SystemSet;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.Pattern;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An option that a SKU is sold with: with all its values, or as the mode says of those that its value filters name. */
@Serdeable
@Resource(table = "skuOptionBinding", view = Permission.SKU_VIEW)
@Example("""
        {"optionId": "0mwq3f7k2v9x4b8n1c6z5t0p", "skuId": "0mwq3f7k2v9x4b8n1c6z5t0q", "order": 1,
         "filterMode": "exclusion"}""")
public record SkuOptionBinding(
        @SystemSet String id,
        @SystemSet String storeId,
        @SystemSet Instant createdAt,
        @SystemSet Instant updatedAt,

        @CreateOnly @References("skuOption") @Pattern(regexp = Id.PATTERN)
        String optionId,

        @CreateOnly
        @References(value = "sku", inverse = "optionBindings", onDelete = References.OnDelete.CASCADE)
        @Pattern(regexp = Id.PATTERN)
        String skuId,

        @Default("0") int order,
        @Nullable FilterMode filterMode) {

    /** Whether the SKU is sold with a value; {@code filtered}: the value has a filter of this binding. */
    public boolean isSold(boolean filtered) {
        return switch (filterMode) {
            case inclusion -> filtered;
            case exclusion -> !filtered;
            case null -> true;
        };
    }

    /** Only the filtered values, or all but them. */
    @Serdeable
    public enum FilterMode {
        inclusion,
        exclusion
    }
}
