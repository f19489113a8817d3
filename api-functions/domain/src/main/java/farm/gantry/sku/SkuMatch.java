package farm.gantry.sku;

import java.util.List;

/** The meaning of a marketplace's text for an item: a SKU with chosen option values. */
public sealed interface SkuMatch {

    /** The SKU and the option values, in the order of the SKU's options. */
    record Resolved(String skuId, List<String> optionValueIds) implements SkuMatch {}

    /** The text is ambiguous; contains two of its possible meanings. */
    record Ambiguous(Resolved one, Resolved other) implements SkuMatch {}

    record NotFound() implements SkuMatch {}
}
