package farm.gantry.api.order;

import farm.gantry.Id;
import farm.gantry.StoreId;
import farm.gantry.api.builds.OrderItemBuilds;
import farm.gantry.api.database.Secrets;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.Faults;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.file.ReferencedFileCopies;
import farm.gantry.api.job.lifecycle.JobCancellation;
import farm.gantry.api.job.lifecycle.OrderProgress;
import farm.gantry.api.job.lifecycle.OrderRows;
import farm.gantry.api.json.RawJson;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.security.Caller;
import farm.gantry.integration.Integration;
import farm.gantry.order.OrderItem;
import farm.gantry.sku.Sku;
import io.micronaut.json.tree.JsonNode;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Order items, however they are changed: their SKUs are found, what was queued for something else than they now ask for is
 * marked, and what waits for a deleted one is cancelled. Who changes them holds their order.
 */
@Singleton
final class OrderItemService {
    private final Resources<OrderItem> items;
    private final Table<OrderItem> table;
    private final Table<Sku> skus;
    private final ItemResolver resolver;
    private final OrderRows rows;
    private final OrderProgress progress;
    private final JobCancellation cancellation;
    private final OrderItemBuilds builds;
    private final ReferencedFileCopies named;
    private final RecordReader reader;

    OrderItemService(
            ResourceFactory factory,
            Tables tables,
            ItemResolver resolver,
            OrderRows rows,
            OrderProgress progress,
            JobCancellation cancellation,
            OrderItemBuilds builds,
            ReferencedFileCopies named,
            RecordReader reader) {
        this.reader = reader;
        this.items = factory.of(OrderItem.class, "order item")
                .checkedBy((_, item) -> validate(item, builds))
                .followedBy(this::onChange)
                .lockedBy((tx, ids) -> rows.lock(tx, rows.findOrdersOfItems(tx, ids)));
        this.table = items.table();
        this.skus = tables.of(Sku.class);
        this.resolver = resolver;
        this.rows = rows;
        this.progress = progress;
        this.cancellation = cancellation;
        this.builds = builds;
        this.named = named;
    }

    Resources<OrderItem> resource() {
        return items;
    }

    private static OrderItem validate(OrderItem item, OrderItemBuilds builds) {
        Faults faults = new Faults();
        faults.read("skuConfig", () -> builds.linkedPartConfigs(item));
        faults.check();
        return item;
    }

    /**
     * The new item that a body describes, of that order. What an {@code integration} calls the order's id may be its own;
     * elsewhere it has the form of ours.
     */
    OrderItem parse(StoreId store, JsonNode body, String orderId, String id, @Nullable Integration integration) {
        if (integration == null) {
            checkOrderId(body);
        }
        return items.parseNew(
                store,
                body.isObject() ? RecordReader.with(body, "orderId", JsonNode.createStringNode(orderId)) : body,
                Map.of("id", id));
    }

    /** Checks the form of the order's id that an item names. */
    void checkOrderId(JsonNode body) {
        JsonNode named = body.get("orderId");
        if (named != null) {
            reader.checkPatch(OrderItem.class, JsonNode.createObjectNode(Map.of("orderId", named)));
        }
    }

    /** Resolves many items, in the order of their ids, whose SKUs are loaded. */
    List<OrderItem> parseAll(Tx tx, JsonNode bodies, String orderId, @Nullable Integration integration, Faults faults) {
        Iterator<String> ids = Id.generateAscending(bodies.size()).iterator();
        Set<String> unknown = unknownSkus(tx, bodies);
        return faults.readEach("items", bodies, body -> {
            OrderItem item = parse(tx.store(), body, orderId, ids.next(), integration);
            return validate(withoutUnknownSku(item, unknown), builds);
        });
    }

    /** The ids that bodies name SKUs by and that are of none. */
    private Set<String> unknownSkus(Tx tx, JsonNode bodies) {
        return bodies.isArray()
                ? skus.findMissing(
                        tx,
                        StreamSupport.stream(bodies.values().spliterator(), false)
                                .flatMap(body -> Stream.ofNullable(OrderJson.text(body, "skuId")))
                                .filter(Id::isValid)
                                .collect(Collectors.toSet()))
                : Set.of();
    }

    private static OrderItem withoutUnknownSku(OrderItem item, Set<String> unknown) {
        if (item.skuId() != null && unknown.contains(item.skuId())) {
            throw ProblemException.invalid("skuId", "unknown", "skuId: there is no SKU " + item.skuId());
        }
        return item;
    }

    /** Checks the fields of a whole item, those too that a change leaves as they are. */
    void checkNamed(JsonNode body) {
        reader.checkPatch(OrderItem.class, body);
    }

    List<OrderItem> findByOrder(Tx tx, String orderId) {
        return table.find(tx, ofOrder(orderId));
    }

    private ListQuery ofOrder(String orderId) {
        return ListQuery.all(table.columns(), OrderItem::orderId, orderId);
    }

    /** The items of an order as JSON, oldest first. */
    RawJson<List<OrderItem>> toJson(Tx tx, String orderId) {
        return table.list(tx, ofOrder(orderId), Secrets.Visibility.HIDDEN);
    }

    /** Adds a new item to its order. */
    RawJson<OrderItem> create(Tx tx, Caller caller, OrderItem read) {
        rows.lock(tx, List.of(read.orderId()));
        return items.create(tx, caller, createRecords(tx, List.of(read)).getFirst());
    }

    /** Inserts new items of a locked order, whose SKUs are known to be there. */
    RawJson<List<OrderItem>> insert(Tx tx, List<OrderItem> read) {
        return table.insertUnchecked(tx, createRecords(tx, read), Secrets.Visibility.HIDDEN);
    }

    private List<OrderItem> createRecords(Tx tx, List<OrderItem> read) {
        return resolver.resolveNew(tx, read).stream()
                .map(item -> withOwnFiles(tx, item))
                .toList();
    }

    private OrderItem withOwnFiles(Tx tx, OrderItem item) {
        return item.withInputs(
                named.copyValuesToOwner(tx, item.orderId(), item.inputs()),
                item.skuConfig() == null ? null : named.copyValuesToOwner(tx, item.orderId(), item.skuConfig()));
    }

    /** Changes items of the order, each as the updates that name it by {@code id} say; returns their ids. */
    List<String> changeEach(Tx tx, String orderId, JsonNode bodies) {
        Set<String> ofOrder = findByOrder(tx, orderId).stream().map(OrderItem::id).collect(Collectors.toSet());
        Set<String> unknown = unknownSkus(tx, bodies);
        Map<String, Resources.RecordUpdate> updates = new LinkedHashMap<>();
        Faults faults = new Faults();
        for (int i = 0; i < bodies.size(); i++) {
            JsonNode body = bodies.get(i);
            String place = "updates[" + i + "]";
            String id = OrderJson.text(body, "id");
            if (id != null && ofOrder.contains(id)) {
                updates.merge(
                        id,
                        new Resources.RecordUpdate(place, body),
                        (first, then) -> new Resources.RecordUpdate(place, RecordReader.with(first.fields(), then.fields())));
            } else {
                faults.add(place + ".id", "unknown", "id must name an item of the order");
            }
            String skuId = OrderJson.text(body, "skuId");
            if (skuId != null && unknown.contains(skuId)) {
                faults.add(place + ".skuId", "unknown", place + ".skuId: there is no SKU " + skuId);
            }
        }
        faults.read("", () -> {
            items.patchEach(tx, updates, this::resolveChanges);
            return updates;
        });
        faults.check();
        return List.copyOf(updates.keySet());
    }

    /** Returns the item after a change. */
    OrderItem resolveChange(Tx tx, OrderItem stored, OrderItem changed) {
        return resolveChanges(tx, List.of(stored), List.of(changed)).getFirst();
    }

    private List<OrderItem> resolveChanges(Tx tx, List<OrderItem> stored, List<OrderItem> changed) {
        List<OrderItem> requested = IntStream.range(0, stored.size())
                .mapToObj(i -> withoutOutdatedSku(stored.get(i), changed.get(i)))
                .toList();
        List<OrderItem> resolved = resolver.resolve(tx, requested);
        return IntStream.range(0, stored.size())
                .mapToObj(i -> markIfOutdated(stored.get(i), withOwnFiles(tx, resolved.get(i))))
                .toList();
    }

    /** The item, whose SKU is to be found where the shop's text for it is another. */
    private static OrderItem withoutOutdatedSku(OrderItem stored, OrderItem changed) {
        boolean isOther = !Objects.equals(stored.externalSku(), changed.externalSku())
                && changed.externalSku() != null
                && Objects.equals(stored.skuId(), changed.skuId());
        List<String> chosen =
                stored.optionValueIds().equals(changed.optionValueIds()) ? List.of() : changed.optionValueIds();
        return isOther ? changed.withSku(null, chosen, null) : changed;
    }

    private static OrderItem markIfOutdated(OrderItem stored, OrderItem item) {
        boolean isQueued =
                item.isPrintedAs(stored) && item.quantity() == stored.quantity() && item.ignored() == stored.ignored();
        return isQueued ? item : item.asUnprocessed();
    }

    private void onChange(Tx tx, List<OrderItem> before, List<OrderItem> after) {
        Map<String, OrderItem> now = after.stream().collect(Collectors.toMap(OrderItem::id, Function.identity()));
        List<String> deleted = ids(before, kept -> !now.containsKey(kept.id()));
        if (!deleted.isEmpty()) {
            cancellation.cancelNotStarted(tx, rows.findNotStarted(tx, "orderItemId", deleted));
            rows.markOutdated(tx, "orderItemId", deleted);
        }
        List<String> reconfigured = ids(before, kept -> {
            OrderItem item = now.get(kept.id());
            return item != null && !item.isPrintedAs(kept);
        });
        if (!reconfigured.isEmpty()) {
            rows.markOutdated(tx, "orderItemId", reconfigured);
        }
        tx.onAllBeforeCommit(
                OrderItemService.class,
                Stream.concat(before.stream(), after.stream())
                        .map(OrderItem::orderId)
                        .toList(),
                orderIds -> progress.closeIfDone(tx, orderIds));
    }

    private static List<String> ids(List<OrderItem> items, Predicate<OrderItem> which) {
        return items.stream().filter(which).map(OrderItem::id).toList();
    }

    /**
     * Makes these the items of a locked order. One is taken for the kept item that it names by its id, or for one with its
     * external id, or else for the first of the same text or SKU; kept items that none is taken for are deleted.
     */
    List<OrderItem> replace(Tx tx, String orderId, JsonNode bodies, List<OrderItem> read) {
        Map<String, OrderItem> unnamed = new LinkedHashMap<>();
        findByOrder(tx, orderId).forEach(item -> unnamed.put(item.id(), item));
        List<Optional<OrderItem>> named = IntStream.range(0, read.size())
                .mapToObj(i -> Optional.ofNullable(OrderJson.text(bodies.get(i), "id"))
                        .flatMap(id -> Optional.ofNullable(unnamed.remove(id))))
                .toList();
        List<OrderItem> left = new ArrayList<>(unnamed.values());
        List<OrderItem> made = new ArrayList<>();
        Map<String, Resources.RecordUpdate> updates = new LinkedHashMap<>();
        for (int i = 0; i < read.size(); i++) {
            OrderItem item = read.get(i);
            Optional<OrderItem> stored = named.get(i).or(() -> findMatch(left, item));
            if (stored.isPresent()) {
                left.remove(stored.get());
                updates.put(stored.get().id(), new Resources.RecordUpdate("[" + i + "]", bodies.get(i)));
            } else {
                made.add(item);
            }
        }
        items.patchEach(tx, updates, this::resolveChanges);
        items.delete(tx, left.stream().map(OrderItem::id).toList());
        if (!made.isEmpty()) {
            insert(tx, made);
        }
        progress.closeIfDone(tx, orderId);
        return made;
    }

    private static Optional<OrderItem> findMatch(List<OrderItem> stored, OrderItem item) {
        return Stream.<Predicate<OrderItem>>of(
                        each -> item.externalId() != null && item.externalId().equals(each.externalId()),
                        each -> item.externalId() == null
                                && (isSame(item.externalSku(), each.externalSku())
                                        || isSame(item.skuId(), each.skuId())))
                .flatMap(same -> stored.stream().filter(same))
                .findFirst();
    }

    private static boolean isSame(@Nullable String requested, @Nullable String stored) {
        return requested != null && requested.equals(stored);
    }
}
