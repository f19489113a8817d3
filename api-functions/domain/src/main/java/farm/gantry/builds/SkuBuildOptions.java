package farm.gantry.builds;

import farm.gantry.part.PrintTags;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The options of a build request for a SKU, and their path in the body. {@code inputs} are the values that its linked parts bind, by name.
 * {@code properties} are the values that result from the buyer's chosen options, by property id.
 */
public record SkuBuildOptions(
        String path,
        int quantity,
        Map<String, Object> inputs,
        Map<String, PropertyValue> properties,
        @Nullable PrintTags tags) {}
