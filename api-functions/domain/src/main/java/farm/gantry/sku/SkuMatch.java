package farm.gantry.sku;

import java.util.List;

/** What the text that a market calls an item by means: a SKU with the values chosen of its options. */
public sealed interface SkuMatch {

    /** The values stand in the order of the SKU's options. */
    record Resolved(String skuId, List<String> optionValueIds) implements SkuMatch {}

    /** Several SKUs or choices are meant by it: two of them. */
    record Ambiguous(Resolved one, Resolved other) implements SkuMatch {}

    record NotFound() implements SkuMatch {}
}
