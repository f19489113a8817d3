package farm.gantry.sequence;

import farm.gantry.Permission;
import farm.gantry.annotation.Default;
import farm.gantry.annotation.Example;
import farm.gantry.annotation.Resource;
import farm.gantry.annotation.SystemSet;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.time.Instant;

/**
 * A sequence of serial numbers, from which builds draw values for the parameters bound to it. The text of a number is {@code prefix} and
 * {@code next}, padded with zeros to {@code padding} digits; each draw increases {@code next} by {@code step}. A linked part's {@code
 * sequenceBindings} refer to a sequence by id, or by name if the name is unique.
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

    /** Returns the text of a number: prefix and padded digits. */
    public String format(long number) {
        String digits = Long.toString(number);
        return prefix + "0".repeat(Math.max(0, padding - digits.length())) + digits;
    }
}
