package farm.gantry.api.builds;

import farm.gantry.Id;
import farm.gantry.annotation.Default;
import farm.gantry.annotation.Example;
import farm.gantry.job.Priority;
import farm.gantry.material.Assignment;
import farm.gantry.part.PartParameter;
import farm.gantry.part.PrintTags;
import farm.gantry.sku.LinkedPart;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A build request in the form of the first version. */
@Serdeable
@Example("""
    {"parts": [{"partId": "0mwq3f7k2v9x4b8n1c6z5t0p", "quantity": 2,
                "parameterOverrides": [{"name": "width", "type": "number", "value": 40}]}]}\
    """)
record BuildRequestV1(
        @Default("[]") @Size(max = 1000) List<@Valid RequestedPart> parts,
        @Default("[]") @Size(max = 1000) List<@Valid RequestedSku> skus) {

    @Serdeable
    record RequestedPart(
            @Pattern(regexp = Id.PATTERN) String partId,
            @Default("1") @Min(0) @Max(500) int quantity,
            @Nullable String label,
            @Nullable PrintTags tags,
            @Default("100") @Priority int priority,
            @Default("[]") List<@Valid ParameterValue> parameterOverrides,
            LinkedPart.@Nullable @Valid Extensions extensions,

            @Nullable
            Map<
                            @Pattern(regexp = INDEX, message = "must be the index of a filament, counted from 0")
                            String,
                            List<@Valid Assignment>>
                    materialAssignments) {}

    /** A SKU and its quantity; {@code parts} has options of single linked parts. */
    @Serdeable
    record RequestedSku(
            @Pattern(regexp = Id.PATTERN) String skuId,
            @Default("1") @Min(1) @Max(500) int quantity,
            @Default("[]") List<@Valid RequestedLinkedPart> parts,
            @Nullable PrintTags tags,
            @Default("100") @Priority int priority) {}

    @Serdeable
    record RequestedLinkedPart(
            @Pattern(regexp = Id.PATTERN) String linkedPartId,
            @Nullable @Min(0) @Max(500) Integer quantity,
            @Nullable String label,
            @Nullable PrintTags tags,
            @Default("[]") List<@Valid ParameterValue> parameterOverrides,
            LinkedPart.@Nullable @Valid Extensions extensions,

            @Nullable
            Map<
                            @Pattern(regexp = INDEX, message = "must be the index of a filament, counted from 0")
                            String,
                            List<@Valid Assignment>>
                    materialAssignments) {}

    /** A parameter and its value. The type is accepted for compatibility and ignored, because the part defines it. */
    @Serdeable
    record ParameterValue(String name, PartParameter.@Nullable Type type, Object value) {}

    private static final String INDEX = "0|[1-9]\\d{0,2}";
}
