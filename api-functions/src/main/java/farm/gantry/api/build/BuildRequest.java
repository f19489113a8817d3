package farm.gantry.api.build;

import farm.gantry.Default;
import farm.gantry.Example;
import farm.gantry.Id;
import farm.gantry.part.PrintTags;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What to print: parts, each with its own quantity. */
@Serdeable
@Example("""
        {"parts": [{"partId": "0mwq3f7k2v9x4b8n1c6z5t0p", "quantity": 12, "label": "Order 1042"}]}""")
record BuildRequest(@Default("[]") List<@Valid PartWish> parts) {

    /**
     * Copies of one part. {@code plateQuantities} is plate id → copies of that plate in each copy of the part; a plate not
     * named is left out, and none named means each plate once. {@code priority} is 100, or 1000 for what may wait.
     */
    @Serdeable
    record PartWish(
            @Pattern(regexp = Id.PATTERN) String partId,
            @Default("1") @Min(0) @Max(500) int quantity,
            @Default("100") int priority,
            @Nullable Position position,
            @Nullable String label,
            @Nullable PrintTags tags,
            @Nullable Map<String, Integer> plateQuantities) {}

    @Serdeable
    enum Position {
        front,
        back
    }
}
