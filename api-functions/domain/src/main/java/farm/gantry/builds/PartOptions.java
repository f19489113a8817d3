package farm.gantry.builds;

import farm.gantry.material.Assignment;
import farm.gantry.part.PrintTags;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The options of a request for one part, and their path in its body; those that are null are as the part or its SKU
 * says.
 */
public record PartOptions(
        String path,
        @Nullable Integer quantity,
        @Nullable Map<String, Object> parameters,
        @Nullable String label,
        @Nullable PrintTags tags,
        @Nullable Map<String, Integer> plateQuantities,
        @Nullable Map<String, List<Assignment>> materials) {}
