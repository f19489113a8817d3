package farm.gantry.sku;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import farm.gantry.Id;
import farm.gantry.Permission;
import farm.gantry.References;
import farm.gantry.Resource;
import farm.gantry.SystemSet;
import farm.gantry.material.Assignment;
import farm.gantry.part.PartParameter;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** So many copies of a part in one of a SKU; without a SKU until one adopts it. */
@Serdeable
@Resource(table = "linkedPart", view = Permission.SKU_VIEW, change = Permission.SKU_EDIT)
public record LinkedPart(
        @SystemSet String id,
        @SystemSet String storeId,
        @SystemSet Instant createdAt,
        @SystemSet Instant updatedAt,

        @References(value = "sku", inverse = "linkedParts", onDelete = References.Deletion.CASCADES)
        @Nullable
        @Pattern(regexp = Id.PATTERN)
        String skuId,

        @References(value = "part", inverse = "linkedParts") @Pattern(regexp = Id.PATTERN)
        String partId,

        String label,
        @Min(0) @Max(500) int quantity,
        List<@Valid Parameter> parameters,
        List<@NotBlank String> exposedParameters,
        @Nullable Map<@Pattern(regexp = "\\d{1,3}") String, List<@Valid Assignment>> materialAssignments,
        @Nullable Map<String, String> parameterBindings,
        @Nullable Map<String, String> sequenceBindings,
        @Nullable String plateQuantitiesBinding,
        @Nullable @Valid Extensions extensions) {

    /** The part's parameter of that name, as this SKU sets it. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Parameter(
            @NotBlank String name,
            PartParameter.Type type,
            @Nullable Object value) {}

    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Extensions(
            @Nullable @JsonProperty("3mf") @Valid ThreeMf threeMf) {}

    /** Plate id to copies of that plate, to its label, and to the objects that are left out of it. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record ThreeMf(
            Map<String, @Min(0) Integer> plateQuantities,
            @Nullable Map<String, String> plateLabels,
            @Nullable Map<String, List<String>> skipObjects) {}
}
