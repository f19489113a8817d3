package farm.gantry.api.builds;

import farm.gantry.Default;
import farm.gantry.Example;
import farm.gantry.Id;
import farm.gantry.RecordBuilder;
import farm.gantry.job.Priority;
import farm.gantry.material.Assignment;
import farm.gantry.part.PrintTags;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What to print: parts and whole SKUs, each with its own quantity, parameters and materials. All of it is queued, or none. With
 * {@code promise} a preview also says when all would be done.
 */
@Serdeable
@Example("""
    {
      "parts": [{"partId": "0mwq3f7k2v9x4b8n1c6z5t0p", "quantity": 12, "label": "Order 1042",
                 "parameters": {"width": 40}, "materials": {"0": [{"materialType": "PLA"}]}}],
      "skus": [{"sku": "LAMP-1", "quantity": 2, "position": "front", "parameters": {"engraving": "Ann"}}]
    }\
    """)
record BuildRequest(
        @Default("[]") @Size(max = 1000) List<@Valid RequestedPart> parts,
        @Default("[]") @Size(max = 1000) List<@Valid RequestedSku> skus,
        @Default("false") boolean promise) {

    static BuildRequest of(List<RequestedPart> parts, List<RequestedSku> skus) {
        return new BuildRequest(parts, skus, false);
    }

    /**
     * Copies of one part. {@code plateQuantities} is plate id → copies of that plate in each copy of the part; a plate not
     * named is left out, and none named means each plate once. {@code priority} is 100, or 1000 for what may wait.
     * {@code parameters} are values for the part's parameters, by name; a file's is the URI of an upload or of a kept file.
     * {@code materials} is the index of a filament → what it may be, the first choice first; a filament not named is
     * printed with what the part says, or with anything. A part without G-code waits for a printer and is sliced for it.
     */
    @Serdeable
    record RequestedPart(
            @Pattern(regexp = Id.PATTERN) String partId,
            @Default("1") @Min(0) @Max(500) int quantity,
            @Default("100") @Priority int priority,
            @Nullable Position position,
            @Nullable Map<String, Object> parameters,
            @Nullable String label,
            @Nullable PrintTags tags,
            @Nullable Map<String, Integer> plateQuantities,

            @Nullable
            Map<
                            @Pattern(regexp = INDEX, message = "must be the index of a filament, counted from 0")
                            String,
                            List<@Valid Assignment>>
                    materials) {}

    /**
     * So many of a SKU, named by its id or its {@code sku}: of each of its linked parts {@code quantity} times the copies
     * that one takes. {@code parameters} are the inputs that linked parts take by their {@code parameterBindings} (parameter
     * of the part → name of the input) and their {@code plateQuantitiesBinding} (name of the input that is so many of each
     * plate, or plate id → copies). {@code optionValueIds} and {@code personalization}, the buyer's own text, are what was
     * chosen of the SKU's options; where linked parts are bound to properties of these, they take what follows from the
     * choice, which must not leave one open. {@code linkedPartConfigs} says more of single linked parts, by their ids. What wins for a
     * parameter: the config, then the sequence it is bound to, the input or property it is bound to, the
     * linked part's own, the part's.
     */
    @Serdeable
    record RequestedSku(
            @Nullable @Pattern(regexp = Id.PATTERN) String skuId,
            @Nullable String sku,
            @Default("1") @Min(1) @Max(500) int quantity,
            @Default("100") @Priority int priority,
            @Nullable Position position,
            @Default("{}") Map<String, Object> parameters,
            @Default("{}") Map<String, @Valid LinkedPartConfig> linkedPartConfigs,
            @Nullable PrintTags tags,
            @Nullable @Valid OrderLink order,

            @Default("[]") @Size(max = 20) List<@Pattern(regexp = Id.PATTERN) String> optionValueIds,

            @Nullable @Size(max = 2000) String personalization) {

        /** One of a SKU, with what was chosen of its options. */
        static RequestedSku of(@Nullable String skuId, List<String> optionValueIds, @Nullable String personalization) {
            return RecordBuilder.of(RequestedSku.class)
                    .with(RequestedSku::skuId, skuId)
                    .with(RequestedSku::quantity, 1)
                    .with(RequestedSku::priority, Priority.NORMAL)
                    .with(RequestedSku::parameters, Map.of())
                    .with(RequestedSku::linkedPartConfigs, Map.of())
                    .with(RequestedSku::optionValueIds, optionValueIds)
                    .with(RequestedSku::personalization, personalization)
                    .build();
        }
    }

    /** Options of one linked part for this build; only its {@code exposedParameters} may be set. */
    @Serdeable
    record LinkedPartConfig(
            @Nullable Map<String, Object> parameters,
            @Nullable PrintTags tags,
            @Nullable @Min(0) @Max(500) Integer quantity,
            @Nullable String label,
            @Nullable Map<String, Integer> plateQuantities,

            @Nullable
            Map<
                            @Pattern(regexp = INDEX, message = "must be the index of a filament, counted from 0")
                            String,
                            List<@Valid Assignment>>
                    materials) {}

    /** The order, and its item, that the builds and jobs are for. */
    @Serdeable
    record OrderLink(
            @Pattern(regexp = Id.PATTERN) String orderId,
            @Pattern(regexp = Id.PATTERN) String orderItemId) {}

    private static final String INDEX = "0|[1-9]\\d{0,2}";
}
