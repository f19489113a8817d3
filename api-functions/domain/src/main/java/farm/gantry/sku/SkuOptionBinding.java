package farm.gantry.sku;

import farm.gantry.Id;
import farm.gantry.Permission;
import farm.gantry.annotation.CreateOnly;
import farm.gantry.annotation.Default;
import farm.gantry.annotation.Example;
import farm.gantry.annotation.References;
import farm.gantry.annotation.Resource;
import farm.gantry.annotation.SystemSet;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.Pattern;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The offer of an option with a SKU: with all its values, or restricted by its value filters as {@code mode} says. */
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

    /** Returns whether the SKU is sold with a value; {@code filtered} is whether the binding has a filter for the value. */
    public boolean isSold(boolean filtered) {
        return switch (filterMode) {
            case inclusion -> filtered;
            case exclusion -> !filtered;
            case null -> true;
        };
    }

    /** Whether only the filtered values are offered, or all except them. */
    @Serdeable
    public enum FilterMode {
        inclusion,
        exclusion
    }
}
