package farm.gantry.sku;

import farm.gantry.Permission;
import farm.gantry.annotation.Resource;
import farm.gantry.annotation.SystemSet;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.PositiveOrZero;
import java.time.Instant;

/** A cost of SKUs other than filament: {@code rate} cents per {@code unit}. */
@Serdeable
@Resource(table = "costComponent", view = Permission.SKU_VIEW, change = Permission.SKU_EDIT)
public record CostComponent(
        @SystemSet String id,
        @SystemSet String storeId,
        @SystemSet Instant createdAt,
        @SystemSet Instant updatedAt,
        @NotBlank String name,
        Type type,
        @NotBlank String unit,
        @PositiveOrZero double rate) {

    @Serdeable
    public enum Type {
        material,
        labor,
        overhead
    }
}
