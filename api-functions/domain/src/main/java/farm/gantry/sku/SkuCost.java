package farm.gantry.sku;

import farm.gantry.Id;
import farm.gantry.Permission;
import farm.gantry.annotation.References;
import farm.gantry.annotation.Resource;
import farm.gantry.annotation.SystemSet;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.PositiveOrZero;
import java.time.Instant;

/** The quantity of a cost component in one unit of a SKU. */
@Serdeable
@Resource(table = "skuCost", view = Permission.SKU_VIEW, change = Permission.SKU_EDIT)
public record SkuCost(
        @SystemSet String id,
        @SystemSet String storeId,
        @SystemSet Instant createdAt,
        @SystemSet Instant updatedAt,

        @References(value = "sku", inverse = "costs", onDelete = References.OnDelete.CASCADE)
        @Pattern(regexp = Id.PATTERN)
        String skuId,

        @References("costComponent") @Pattern(regexp = Id.PATTERN)
        String costComponentId,

        @PositiveOrZero double quantity) {}
