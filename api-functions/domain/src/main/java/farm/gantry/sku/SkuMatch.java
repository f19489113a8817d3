package farm.gantry.sku;

import java.util.List;

/** The meaning of a marketplace's text for an item: a SKU with chosen option values. */
public sealed interface SkuMatch {

    /** The values stand in the order of the SKU's options. */
    record Resolved(String skuId, List<String> optionValueIds) implements SkuMatch {}

    /** The text matches several SKUs or choices, of which these are two. */
    record Ambiguous(Resolved one, Resolved other) implements SkuMatch {}

    record NotFound() implements SkuMatch {}
}
