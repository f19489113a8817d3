package farm.gantry.builds;

import farm.gantry.material.Assignment;
import farm.gantry.part.PrintTags;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a body asks of one part, and where in it; what it leaves open is null, and as the part or its SKU have it. */
public record Wish(
        String path,
        @Nullable Integer quantity,
        @Nullable Map<String, Object> parameters,
        @Nullable String label,
        @Nullable PrintTags tags,
        @Nullable Map<String, Integer> plateQuantities,
        @Nullable Map<String, List<Assignment>> materials) {}
