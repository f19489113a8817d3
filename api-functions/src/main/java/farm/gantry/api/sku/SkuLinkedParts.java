package farm.gantry.api.sku;

import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The linked parts in the body of a SKU, which are all of them. One without an {@code id} is created, one with the
 * {@code id} of an existing linked part changes it.
 */
@Serdeable
record SkuLinkedParts(@Nullable List<Map<String, Object>> linkedParts) {}
