package farm.gantry.builds;

import farm.gantry.part.PrintTags;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The options of a request for a SKU, and their path in its body; {@code inputs} are the values its parts bind. */
public record SkuBuildOptions(
        String path,
        int quantity,
        Map<String, Object> inputs,
        @Nullable PrintTags tags) {}
