package farm.gantry.sku;

import farm.gantry.CreateOnly;
import farm.gantry.Default;
import farm.gantry.Example;
import farm.gantry.Permission;
import farm.gantry.Resource;
import farm.gantry.SystemSet;
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
