package farm.gantry.sequence;

import farm.gantry.Default;
import farm.gantry.Example;
import farm.gantry.Permission;
import farm.gantry.Resource;
import farm.gantry.SystemSet;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.time.Instant;

/**
 * Serial numbers that builds draw for the parameters bound to them: {@code prefix} and the number {@code next}, filled up
 * with zeros to {@code padding} digits; each draw moves {@code next} on by {@code step}. A linked part's
 * {@code sequenceBindings} name a sequence by its id, or by its name where only one bears it.
 */
@Serdeable
@Resource(table = "sequence", view = Permission.SKU_VIEW)
@Example("""
        {"name": "Lamp serials", "prefix": "L-", "next": 1, "step": 1, "padding": 5}""")
public record Sequence(
        @SystemSet String id,
        @SystemSet String storeId,
        @SystemSet Instant createdAt,
        @SystemSet Instant updatedAt,
        @NotBlank @Size(max = 500) String name,
        @Default("\"\"") @Size(max = 100) String prefix,
        @Default("1") @Min(0) @Max(MAX_VALUE) long next,
        @Default("1") @Min(1) @Max(1_000_000) int step,
        @Default("0") @Min(0) @Max(18) int padding) {
    private static final long MAX_VALUE = 999_999_999_999_999L;

    /** How it stands in a text. */
    public String format(long number) {
        String digits = Long.toString(number);
        return prefix + "0".repeat(Math.max(0, padding - digits.length())) + digits;
    }
}
