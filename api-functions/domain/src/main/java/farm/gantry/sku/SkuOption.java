package farm.gantry.sku;

import farm.gantry.Permission;
import farm.gantry.annotation.CreateOnly;
import farm.gantry.annotation.Default;
import farm.gantry.annotation.Example;
import farm.gantry.annotation.Resource;
import farm.gantry.annotation.SystemSet;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.NotBlank;
import java.time.Instant;

/** An option of SKUs that buyers choose, such as size or colour. A personalization takes free text instead of a value. */
@Serdeable
@Resource(table = "skuOption", view = Permission.SKU_VIEW)
@Example("""
        {"name": "Size", "isPersonalization": false}""")
public record SkuOption(
        @SystemSet String id,
        @SystemSet String storeId,
        @SystemSet Instant createdAt,
        @SystemSet Instant updatedAt,
        @NotBlank String name,
        @CreateOnly @Default("false") boolean isPersonalization) {}
