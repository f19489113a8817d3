package farm.gantry.api.order;

import farm.gantry.api.database.Tx;
import farm.gantry.api.job.lifecycle.OrderRows;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.sku.SkuResolver;
import farm.gantry.order.OrderItem;
import farm.gantry.order.OrderItem.ResolutionNote;
import farm.gantry.sku.SkuMatch;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Resolves the SKUs of order items from the shops' texts, with a fixed number of queries for any number of items. */
@Singleton
final class ItemResolver {
    private final SkuResolver skus;
    private final OrderRows rows;

    ItemResolver(SkuResolver skus, OrderRows rows) {
        this.skus = skus;
        this.rows = rows;
    }

    /** Resolves new items; marks those as ignored whose texts the store ignores. */
    List<OrderItem> resolveNew(Tx tx, List<OrderItem> items) {
        Set<String> ignored = rows.findIgnored(tx, texts(items));
        return resolve(
                tx,
                items.stream()
                        .map(item -> item.externalSku() != null && ignored.contains(item.externalSku())
                                ? item.asIgnored()
                                : item)
                        .toList());
    }

    /** Resolves items; those without a SKU get a note with the reason. */
    List<OrderItem> resolve(Tx tx, List<OrderItem> items) {
        List<String> texts =
                texts(items.stream().filter(item -> item.skuId() == null).toList());
        Map<String, SkuMatch> found = texts.isEmpty() ? Map.of() : skus.resolve(tx, texts);
        return items.stream()
                .map(item -> item.skuId() != null
                        ? item.withSku(item.skuId(), item.optionValueIds(), null)
                        : resolve(item, found))
                .toList();
    }

    private static List<String> texts(List<OrderItem> items) {
        return items.stream()
                .map(OrderItem::externalSku)
                .filter(Objects::nonNull)
                .distinct()
                .toList();
    }

    private static OrderItem resolve(OrderItem item, Map<String, SkuMatch> found) {
        String text = item.externalSku();
        if (text == null) {
            return withNote(item, ResolutionNote.Type.sku_not_found, "the item names no SKU");
        }
        return switch (found.getOrDefault(text, new SkuMatch.NotFound())) {
            case SkuMatch.Resolved match ->
                item.withSku(
                        match.skuId(),
                        match.optionValueIds().isEmpty() ? item.optionValueIds() : match.optionValueIds(),
                        null);
            case SkuMatch.Ambiguous _ ->
                withNote(
                        item,
                        ResolutionNote.Type.ambiguous_match,
                        "\"" + text + "\" may mean several SKUs, or several choices of their options.");
            case SkuMatch.NotFound _ ->
                withNote(item, ResolutionNote.Type.sku_not_found, "No SKU matches \"" + text + "\".");
        };
    }

    private static OrderItem withNote(OrderItem item, ResolutionNote.Type type, String message) {
        return item.withSku(null, item.optionValueIds(), new ResolutionNote(type, message, true, Resources.now()));
    }
}
