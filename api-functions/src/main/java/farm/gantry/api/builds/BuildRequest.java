package farm.gantry.api.builds;

import farm.gantry.Id;
import farm.gantry.RecordBuilder;
import farm.gantry.annotation.Default;
import farm.gantry.annotation.Example;
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
 * A request to print parts and SKUs, each with its own quantity, parameters and materials. Everything is queued, or nothing. With {@code
 * promise}, a preview also estimates when all would be finished.
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
     * The copies of one part to print. {@code plateQuantities} maps a plate id to the copies of that plate per copy of the part; plates
     * that are not named are left out, and if none is named each is printed once. {@code priority} is 100, or 1000 for low priority. {@code
     * parameters} are values for the part's parameters by name; a file's value is the URI of an upload or a stored file. {@code materials}
     * maps a filament index to the allowed materials, first choice first; a filament that is not named is printed with the part's own
     * materials, or with any. A part without G-code waits for a printer and is sliced for it.
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
     * A SKU to print, named by its id or its {@code sku}. For each linked part, {@code quantity} times its copies are printed. {@code
     * parameters} are the inputs that linked parts use by their {@code parameterBindings} and {@code plateQuantitiesBinding}; the latter
     * takes a factor for each plate, or a map from plate id to copies. {@code optionValueIds} and {@code personalization}, the buyer's
     * text, are the chosen options; linked parts that are bound to properties take the values that result from the choice, which must be
     * complete. {@code linkedPartConfigs} are options of single linked parts by id. For a parameter, the first of these that is given
     * applies: the config, the sequence that it is bound to, the input or property that it is bound to, the linked part's value, the part's
     * value.
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

        /** Returns a request for one unit of a SKU with the chosen options. */
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
