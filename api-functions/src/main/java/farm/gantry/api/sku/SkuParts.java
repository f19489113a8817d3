package farm.gantry.api.sku;

import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a SKU's body says beside the SKU: all its linked parts. Each reads as one to be made, or with the {@code id} of one
 * that is kept, as a change of it.
 */
@Serdeable
record SkuParts(@Nullable List<Map<String, Object>> linkedParts) {}
