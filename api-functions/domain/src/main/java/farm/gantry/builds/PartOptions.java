package farm.gantry.builds;

import farm.gantry.material.Assignment;
import farm.gantry.part.PrintTags;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The options of a build request for one part, and their path in the body. Null options default to those of the part or its SKU. */
public record PartOptions(
        String path,
        @Nullable Integer quantity,
        @Nullable Map<String, Object> parameters,
        @Nullable String label,
        @Nullable PrintTags tags,
        @Nullable Map<String, Integer> plateQuantities,
        @Nullable Map<String, List<Assignment>> materials) {}
