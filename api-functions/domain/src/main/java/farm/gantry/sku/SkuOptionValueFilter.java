package farm.gantry.sku;

import farm.gantry.Id;
import farm.gantry.Permission;
import farm.gantry.annotation.References;
import farm.gantry.annotation.Resource;
import farm.gantry.annotation.SystemSet;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.Pattern;
import java.time.Instant;

/** A value that a binding includes or excludes; {@code skuId} and {@code optionId} are copied from the binding. */
@Serdeable
@Resource(table = "skuOptionValueFilter", view = Permission.SKU_VIEW)
public record SkuOptionValueFilter(
        @SystemSet String id,
        @SystemSet String storeId,
        @SystemSet Instant createdAt,
        @SystemSet Instant updatedAt,

        @References(value = "skuOptionBinding", inverse = "filters", onDelete = References.OnDelete.CASCADE)
        @Pattern(regexp = Id.PATTERN)
        String bindingId,

        @References(value = "sku", onDelete = References.OnDelete.CASCADE) @Pattern(regexp = Id.PATTERN)
        String skuId,

        @References(value = "skuOption", onDelete = References.OnDelete.CASCADE) @Pattern(regexp = Id.PATTERN)
        String optionId,

        @References(value = "skuOptionValue", onDelete = References.OnDelete.CASCADE) @Pattern(regexp = Id.PATTERN)
        String optionValueId) {}
