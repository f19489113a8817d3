package farm.gantry.sku;

import farm.gantry.Id;
import farm.gantry.Permission;
import farm.gantry.annotation.Example;
import farm.gantry.annotation.OneOrMany;
import farm.gantry.annotation.References;
import farm.gantry.annotation.Resource;
import farm.gantry.annotation.SystemSet;
import farm.gantry.material.Assignment;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The value of a property for one combination of option values, in the order of its bindings. Only the field of the property's type is set.
 * {@code materialValue} is the list of allowed materials, first choice first; a single one may be given without an array. {@code
 * plateQuantitiesValue} maps plate id to copies.
 */
@Serdeable
@Resource(table = "skuOptionPropertyValue", view = Permission.SKU_VIEW)
@Example("""
    {"propertyId": "0mwq3f7k2v9x4b8n1c6z5t0s", "optionValueId": "0mwq3f7k2v9x4b8n1c6z5t0t", "textValue": "120"}\
    """)
public record SkuOptionPropertyValue(
        @SystemSet String id,
        @SystemSet String storeId,
        @SystemSet Instant createdAt,
        @SystemSet Instant updatedAt,

        @References(value = "skuOptionProperty", inverse = "values", onDelete = References.OnDelete.CASCADE)
        @Pattern(regexp = Id.PATTERN)
        String propertyId,

        @References(value = "skuOptionValue", onDelete = References.OnDelete.CASCADE) @Pattern(regexp = Id.PATTERN)
        String optionValueId,

        @References(value = "skuOptionValue", as = "optionValue2", onDelete = References.OnDelete.CASCADE)
        @Nullable
        @Pattern(regexp = Id.PATTERN)
        String optionValueId2,

        @References(value = "skuOptionValue", as = "optionValue3", onDelete = References.OnDelete.CASCADE)
        @Nullable
        @Pattern(regexp = Id.PATTERN)
        String optionValueId3,

        @Nullable String textValue,
        @Nullable @OneOrMany @Size(min = 1) List<@Valid Assignment> materialValue,

        @Nullable
        Map<
                        @Pattern(regexp = "[1-9]\\d{0,2}", message = "must be the number of a plate, counted from 1")
                        String,
                        @Min(0) @Max(500) Integer>
                plateQuantitiesValue) {

    /** Returns its one to three option values. */
    public List<String> optionValueIds() {
        return Stream.of(optionValueId, optionValueId2, optionValueId3)
                .filter(Objects::nonNull)
                .toList();
    }
}
