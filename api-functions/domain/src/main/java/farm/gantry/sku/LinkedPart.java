package farm.gantry.sku;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import farm.gantry.Id;
import farm.gantry.Permission;
import farm.gantry.RecordBuilder;
import farm.gantry.SelfValidating;
import farm.gantry.annotation.References;
import farm.gantry.annotation.Resource;
import farm.gantry.annotation.Scalar;
import farm.gantry.annotation.SystemSet;
import farm.gantry.material.Assignment;
import farm.gantry.part.ParameterCheck;
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
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A part of a SKU, and its number of copies per SKU. It may temporarily belong to no SKU. {@code parameterBindings} map a parameter of the
 * part, or a filament ({@code materials.<index>} or the index alone), to the property of the SKU's options from which it takes its value. A
 * material property bound under any other name is for the only filament of a part. A bound value that is not an id names an input of
 * builds. {@code plateQuantitiesBinding} binds the copies of each plate in the same way.
 */
@Serdeable
@Resource(table = "linkedPart", view = Permission.SKU_VIEW, change = Permission.SKU_EDIT)
public record LinkedPart(
        @SystemSet String id,
        @SystemSet String storeId,
        @SystemSet Instant createdAt,
        @SystemSet Instant updatedAt,

        @References(value = "sku", inverse = "linkedParts", onDelete = References.OnDelete.CASCADE)
        @Nullable
        @Pattern(regexp = Id.PATTERN)
        String skuId,

        @References(value = "part", inverse = "linkedParts") @Pattern(regexp = Id.PATTERN)
        String partId,

        String label,
        @Min(0) @Max(500) int quantity,
        List<@Valid Parameter> parameters,
        List<@NotBlank String> exposedParameters,

        @Nullable
        Map<
                        @Pattern(
                                regexp = "0|[1-9]\\d{0,2}",
                                message = "must be the index of a filament, counted from 0")
                        String,
                        List<@Valid Assignment>>
                materialAssignments,

        @Nullable Map<String, String> parameterBindings,
        @Nullable Map<String, String> sequenceBindings,
        @Nullable String plateQuantitiesBinding,
        @Nullable @Valid Extensions extensions)
        implements SelfValidating {

    private static final java.util.regex.Pattern MATERIALS =
            java.util.regex.Pattern.compile("(?:materials\\.)?(0|[1-9]\\d{0,2})");

    @Override
    public List<Fault> faults() {
        return ParameterCheck.checkNamesUnique(
                parameters.stream().map(Parameter::name).toList());
    }

    /** Returns the index of the filament that a binding name refers to; empty if it refers to a parameter. */
    public static Optional<String> filamentIndex(String name) {
        Matcher materials = MATERIALS.matcher(name);
        return materials.matches() ? Optional.of(materials.group(1)) : Optional.empty();
    }

    /** Returns a copy with other parameters. */
    public LinkedPart withParameters(List<Parameter> others) {
        return RecordBuilder.copyOf(this).with(LinkedPart::parameters, others).build();
    }

    /** Returns its bindings by name; never null. */
    public Map<String, String> bindings() {
        return Objects.requireNonNullElse(parameterBindings, Map.of());
    }

    /** Returns the ids of the properties that it is bound to. */
    public Set<String> boundProperties() {
        return Stream.concat(bindings().values().stream(), Stream.ofNullable(plateQuantitiesBinding))
                .filter(Id::isValid)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** The value of the part's parameter of that name for this SKU. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Parameter(
            @NotBlank String name,
            PartParameter.Type type,
            @Nullable @Scalar Object value) implements SelfValidating {
        @Override
        public List<Fault> faults() {
            return type.faults("value", value).toList();
        }
    }

    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Extensions(
            @Nullable @JsonProperty("3mf") @Valid ThreeMf threeMf) {}

    /** The copies, the label and the objects to leave out, by plate id. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record ThreeMf(
            Map<String, @Min(0) Integer> plateQuantities,
            @Nullable Map<String, String> plateLabels,
            @Nullable Map<String, List<String>> skipObjects) {}
}
