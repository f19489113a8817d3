package farm.gantry.builds;

import farm.gantry.part.PrintTags;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a body asks of a SKU as a whole, and where in it: so many of it, with these inputs for what its parts bind. */
public record SkuWish(
        String path,
        int quantity,
        Map<String, Object> inputs,
        @Nullable PrintTags tags) {}
