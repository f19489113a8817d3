package farm.gantry.api.order;

import farm.gantry.api.query.Filter;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.query.Operator;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.store.OrderRows;
import farm.gantry.api.store.Table;
import farm.gantry.api.store.Tables;
import farm.gantry.api.store.Tx;
import farm.gantry.order.OrderItem;
import farm.gantry.order.OrderItem.ResolutionNote;
import farm.gantry.sku.Sku;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds the SKUs of order items by the shops' texts for them; one look, however many there are. */
@Singleton
final class ItemResolver {
    private final Table<Sku> skus;
    private final OrderRows rows;

    ItemResolver(Tables tables, OrderRows rows) {
        this.skus = tables.of(Sku.class);
        this.rows = rows;
    }

    /** New items with their SKUs; those whose texts the store ignores are ignored. */
    List<OrderItem> ofNew(Tx tx, List<OrderItem> items) {
        Set<String> ignored = rows.ignored(tx, texts(items));
        return resolved(
                tx,
                items.stream()
                        .map(item -> item.externalSku() != null && ignored.contains(item.externalSku())
                                ? item.asIgnored()
                                : item)
                        .toList());
    }

    /** The items with their SKUs, each that has none with a note that says why. */
    List<OrderItem> resolved(Tx tx, List<OrderItem> items) {
        List<String> texts =
                texts(items.stream().filter(item -> item.skuId() == null).toList());
        Map<String, String> found = texts.isEmpty() ? Map.of() : found(tx, texts);
        return items.stream()
                .map(item -> item.skuId() != null
                        ? item.withSku(item.skuId(), item.optionValueIds(), null)
                        : resolved(item, found))
                .toList();
    }

    private static List<String> texts(List<OrderItem> items) {
        return items.stream()
                .map(OrderItem::externalSku)
                .filter(Objects::nonNull)
                .distinct()
                .toList();
    }

    private Map<String, String> found(Tx tx, List<String> texts) {
        return skus
                .find(
                        tx,
                        ListQuery.all(skus.columns())
                                .where(Filter.of(skus.columns().get("sku"), Operator.in, texts.toArray(String[]::new))))
                .stream()
                .collect(Collectors.toMap(Sku::sku, Sku::id));
    }

    private static OrderItem resolved(OrderItem item, Map<String, String> found) {
        @Nullable String text = item.externalSku();
        String skuId = text == null ? null : found.get(text);
        return skuId != null
                ? item.withSku(skuId, item.optionValueIds(), null)
                : item.withSku(
                        null,
                        item.optionValueIds(),
                        new ResolutionNote(
                                ResolutionNote.Type.sku_not_found,
                                text == null ? "the item names no SKU" : "no SKU is meant by '" + text + "'",
                                true,
                                Resources.now()));
    }
}
