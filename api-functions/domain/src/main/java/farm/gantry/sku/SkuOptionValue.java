package farm.gantry.sku;

import farm.gantry.Id;
import farm.gantry.Permission;
import farm.gantry.annotation.CreateOnly;
import farm.gantry.annotation.Default;
import farm.gantry.annotation.Example;
import farm.gantry.annotation.References;
import farm.gantry.annotation.Resource;
import farm.gantry.annotation.SystemSet;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import java.util.List;

/**
 * A value of an option, such as M of Size. {@code skuSuffixes} are the texts that represent it after a SKU, if a market sells both as one
 * item: {@code -M} in SIGN-M.
 */
@Serdeable
@Resource(table = "skuOptionValue", view = Permission.SKU_VIEW)
@Example("""
        {"optionId": "0mwq3f7k2v9x4b8n1c6z5t0p", "name": "M", "skuSuffixes": ["-M", "-MEDIUM"], "order": 2}""")
public record SkuOptionValue(
        @SystemSet String id,
        @SystemSet String storeId,
        @SystemSet Instant createdAt,
        @SystemSet Instant updatedAt,

        @CreateOnly
        @References(value = "skuOption", inverse = "values", onDelete = References.OnDelete.CASCADE)
        @Pattern(regexp = Id.PATTERN)
        String optionId,

        @NotBlank String name,
        @Default("[]") @Size(max = 100) List<@NotBlank @Size(max = 100) String> skuSuffixes,
        @Default("0") int order) {}
