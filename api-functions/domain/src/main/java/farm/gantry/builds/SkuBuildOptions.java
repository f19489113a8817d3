package farm.gantry.builds;

import farm.gantry.part.PrintTags;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The options of a request for a SKU, and their path in its body. {@code inputs} are the values that its parts bind, by
 * name, and {@code properties} those that follow from what the buyer chose, by the ids of properties.
 */
public record SkuBuildOptions(
        String path,
        int quantity,
        Map<String, Object> inputs,
        Map<String, PropertyValue> properties,
        @Nullable PrintTags tags) {}
