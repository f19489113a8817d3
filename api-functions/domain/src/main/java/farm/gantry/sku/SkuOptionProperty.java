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
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A property whose value depends on a buyer's choice: a text, a material or plate quantities, for each value of one option of a SKU or each
 * combination of two or three. {@code optionId} is that of the first binding. Linked parts take its value by their {@code
 * parameterBindings} and {@code plateQuantitiesBinding}. The property of a personalization is the buyer's text.
 */
@Serdeable
@Resource(table = "skuOptionProperty", view = Permission.SKU_VIEW)
@Example("""
        {"optionId": "0mwq3f7k2v9x4b8n1c6z5t0p", "bindingId": "0mwq3f7k2v9x4b8n1c6z5t0r", "name": "Width in mm",
         "type": "text", "order": 1}""")
public record SkuOptionProperty(
        @SystemSet String id,
        @SystemSet String storeId,
        @SystemSet Instant createdAt,
        @SystemSet Instant updatedAt,

        @CreateOnly
        @References(value = "skuOption", onDelete = References.OnDelete.CASCADE)
        @Pattern(regexp = Id.PATTERN)
        String optionId,

        @CreateOnly
        @References(value = "skuOptionBinding", inverse = "properties", onDelete = References.OnDelete.CASCADE)
        @Pattern(regexp = Id.PATTERN)
        String bindingId,

        @CreateOnly
        @References(value = "skuOptionBinding", as = "binding2", onDelete = References.OnDelete.CASCADE)
        @Nullable
        @Pattern(regexp = Id.PATTERN)
        String bindingId2,

        @CreateOnly
        @References(value = "skuOptionBinding", as = "binding3", onDelete = References.OnDelete.CASCADE)
        @Nullable
        @Pattern(regexp = Id.PATTERN)
        String bindingId3,

        @NotBlank String name,
        @CreateOnly Type type,
        @Default("0") int order) {

    @Serdeable
    public enum Type {
        text,
        material,
        plate_quantities
    }

    /** Returns its one to three bindings. */
    public List<String> bindingIds() {
        return Stream.of(bindingId, bindingId2, bindingId3)
                .filter(Objects::nonNull)
                .toList();
    }
}
