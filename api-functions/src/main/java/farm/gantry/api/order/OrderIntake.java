package farm.gantry.api.order;

import farm.gantry.Sha256;
import farm.gantry.api.builds.OrderItemBuilds;
import farm.gantry.api.database.Change;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.Faults;
import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.job.lifecycle.OrderProgress;
import farm.gantry.api.job.lifecycle.OrderRows;
import farm.gantry.api.json.RawJson;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.security.Caller;
import farm.gantry.api.webhook.Webhooks;
import farm.gantry.integration.Integration;
import farm.gantry.notification.EventName;
import farm.gantry.order.Customer;
import farm.gantry.order.Order;
import farm.gantry.order.OrderItem;
import io.micronaut.json.tree.JsonNode;
import jakarta.inject.Singleton;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts orders from people and integrations. An order with an external id is stored once, however often and concurrently it is delivered:
 * a repeated delivery changes nothing, a different one updates the order.
 */
@Singleton
public final class OrderIntake {
    /** A stored order and its customer. */
    public record AcceptedOrder(String orderId, @Nullable String customerId) {}

    private static final Logger LOG = LoggerFactory.getLogger(OrderIntake.class);
    private static final int TURNS = 1024;

    private final List<Lock> turns =
            Stream.<Lock>generate(ReentrantLock::new).limit(TURNS).toList();
    private final Resources<Order> orders;
    private final Resources<Customer> customers;
    private final CustomerIntake buyers;
    private final OrderItemService items;
    private final Table<Integration> integrations;
    private final OrderPrinting printing;
    private final OrderProgress progress;
    private final OrderClosing closing;
    private final OrderRows rows;
    private final Webhooks webhooks;
    private final OrderParser orderReader;
    private final RecordReader reader;

    OrderIntake(
            ResourceFactory factory,
            Tables tables,
            CustomerIntake buyers,
            OrderItemService items,
            OrderPrinting printing,
            OrderProgress progress,
            OrderClosing closing,
            OrderRows rows,
            Webhooks webhooks,
            OrderParser orderReader,
            RecordReader reader) {
        this.orders = factory.of(Order.class, "order");
        this.customers = factory.of(Customer.class, "customer");
        this.buyers = buyers;
        this.items = items;
        this.integrations = tables.of(Integration.class);
        this.printing = printing;
        this.progress = progress;
        this.closing = closing;
        this.rows = rows;
        this.webhooks = webhooks;
        this.orderReader = orderReader;
        this.reader = reader;
    }

    /**
     * Runs the work while this process handles no other delivery of the order. The database lock covers all processes, but waiting here
     * occupies no connection.
     */
    public <T> T runExclusively(JsonNode body, Supplier<T> work) {
        JsonNode externalId = OrderJson.member(OrderJson.member(body, "order"), "externalId");
        if (externalId == null) {
            return work.get();
        }
        Lock turn = turns.get(Math.floorMod(externalId.hashCode(), TURNS));
        turn.lock();
        try {
            return work.get();
        } finally {
            turn.unlock();
        }
    }

    /**
     * Stores the orders of an array, all or none, and returns their ids. Throws all faults, with paths that begin with
     * the index of the order.
     */
    public List<String> acceptAll(Tx tx, Caller caller, JsonNode bodies) {
        lockAll(tx, bodies);
        Faults faults = new Faults();
        List<String> ids =
                faults.readEach("", bodies, body -> accept(tx, caller, body).orderId());
        faults.check();
        return ids;
    }

    /** Takes the locks of all deliveries and then of all customers, for an order takes both. */
    private void lockAll(Tx tx, JsonNode bodies) {
        Set<List<String>> deliveries = new TreeSet<>(Comparator.comparing(Object::toString));
        Set<List<String>> customerKeys = new TreeSet<>(Comparator.comparing(Object::toString));
        for (JsonNode body : bodies.values()) {
            JsonNode order = OrderJson.member(body, "order");
            JsonNode customer = OrderJson.member(body, "customer");
            String integrationId = OrderJson.text(order, "integrationId");
            String externalId = OrderJson.text(order, "externalId");
            if (externalId != null) {
                deliveries.add(Arrays.asList(integrationId, externalId));
            }
            customerKeys.add(OrderRows.customerKey(
                    integrationId == null ? OrderJson.text(customer, "integrationId") : integrationId,
                    OrderJson.text(customer, "externalId"),
                    OrderJson.text(customer, "email")));
        }
        deliveries.forEach(delivery -> rows.lockDelivery(tx, delivery.getFirst(), delivery.getLast()));
        customerKeys.stream().filter(key -> !key.isEmpty()).forEach(key -> rows.lockCustomer(tx, key));
    }

    /** Stores the order of a body, for the integration that it names. */
    public AcceptedOrder accept(Tx tx, Caller caller, JsonNode body) {
        String integrationId = OrderJson.text(OrderJson.member(body, "order"), "integrationId");
        JsonNode array = OrderJson.member(body, "items");
        if (array != null && array.isArray()) {
            Faults faults = new Faults();
            faults.readEach("items", array, item -> {
                items.checkOrderId(item);
                return item;
            });
            faults.check();
        }
        return accept(
                tx,
                caller,
                body,
                integrationId,
                () -> integrationId == null
                        ? null
                        : integrations.find(tx, integrationId).orElse(null),
                false);
    }

    /**
     * Stores an order that the integration's market sent. The market may cancel it; its jobs are queued immediately if the integration's
     * settings say so.
     */
    public AcceptedOrder accept(Tx tx, Caller caller, JsonNode body, Integration market) {
        return accept(tx, caller, OrderParser.normalizeMarketOrder(body), market.id(), () -> market, true);
    }

    private AcceptedOrder accept(
            Tx tx,
            Caller caller,
            JsonNode body,
            @Nullable String integrationId,
            Supplier<@Nullable Integration> integrationOf,
            boolean isOfMarket) {
        String externalId = OrderJson.text(OrderJson.member(body, "order"), "externalId");
        if (externalId == null) {
            Integration integration = integrationOf.get();
            return create(tx, caller, body, orderReader.parse(tx, body, integration, isOfMarket), integration, null);
        }
        String hash = Sha256.of(reader.toText(body));
        Optional<OrderRows.DeliveredOrder> known = rows.findDelivered(tx, integrationId, externalId);
        if (!isRepeated(known, hash)) {
            rows.lockDelivery(tx, integrationId, externalId);
            known = rows.findDelivered(tx, integrationId, externalId);
        }
        if (isRepeated(known, hash)) {
            return acceptedOrder(known.get());
        }
        Integration integration = integrationOf.get();
        OrderParser.ParsedOrder read = orderReader.parse(tx, body, integration, isOfMarket);
        if (known.isEmpty()) {
            return create(tx, caller, body, read, integration, hash);
        }
        if (isOlder(read.order(), known.get())) {
            return acceptedOrder(known.get());
        }
        AcceptedOrder taken = change(tx, caller, known.get().orderId(), body, integration, read.isCancelled());
        rows.setDeliveryHash(tx, taken.orderId(), hash);
        return taken;
    }

    private static boolean isRepeated(Optional<OrderRows.DeliveredOrder> known, String hash) {
        return known.filter(order -> hash.equals(order.hash())).isPresent();
    }

    private static boolean isOlder(Order sent, OrderRows.DeliveredOrder known) {
        return sent.externalUpdatedAt() != null
                && known.externalUpdatedAt() != null
                && sent.externalUpdatedAt().isBefore(known.externalUpdatedAt());
    }

    private static AcceptedOrder acceptedOrder(OrderRows.DeliveredOrder order) {
        return new AcceptedOrder(order.orderId(), order.customerId());
    }

    private AcceptedOrder create(
            Tx tx,
            Caller caller,
            JsonNode body,
            OrderParser.ParsedOrder read,
            @Nullable Integration integration,
            @Nullable String deliveryHash) {
        JsonNode customer = OrderJson.member(body, "customer");
        String customerId = read.customer() == null || customer == null
                ? read.order().customerId()
                : buyers.findOrCreate(tx, caller, read.customer(), customer, integration);
        Order order = read.order().withCustomer(customerId);
        orders.table()
                .insertCopiesUnchecked(
                        tx,
                        List.of(new Table.RowCopies<>(
                                order, List.of(new Change<Order>().setColumn("deliveryHash", deliveryHash)))),
                        Set.of());
        if (!read.items().isEmpty()) {
            items.insert(tx, read.items());
        }
        boolean isManual = order.source() == Order.Source.manual;
        webhooks.emitOrder(tx, isManual ? EventName.onOrderCreatedManual : EventName.onOrderCreatedRetail, order.id());
        printOrCancel(tx, order.id(), integration, read.isCancelled());
        return new AcceptedOrder(order.id(), customerId);
    }

    private void printAtOnce(Tx tx, String orderId, @Nullable Integration integration) {
        if (integration == null || !Boolean.TRUE.equals(integration.settings().autoPrint())) {
            return;
        }
        try {
            boolean isPrinted = printing.print(tx, List.of(orderId), null, OrderItemBuilds.QueuePlacement.LAST).stream()
                    .anyMatch(printed -> printed.queued() > 0);
            if (isPrinted) {
                webhooks.emitOrder(tx, EventName.onOrdersAutoPrinted, orderId);
            }
        } catch (ProblemException e) {
            if (!(e.problem() instanceof Problem.Invalid)) {
                throw e;
            }
            // Its jobs exceed the maximum of one request, so a person must print its items.
            LOG.warn("order {} was accepted but not queued automatically: {}", orderId, e.getMessage());
        }
    }

    private void printOrCancel(Tx tx, String orderId, @Nullable Integration integration, boolean isCancelled) {
        if (isCancelled) {
            closing.cancel(tx, List.of(orderId));
        } else {
            printAtOnce(tx, orderId, integration);
        }
    }

    /** Changes the given fields, and replaces the items if the body has any array of them. Jobs at printers continue. */
    AcceptedOrder change(Tx tx, Caller caller, String orderId, JsonNode body) {
        return change(tx, caller, orderId, body, null, false);
    }

    private AcceptedOrder change(
            Tx tx,
            Caller caller,
            String orderId,
            JsonNode body,
            @Nullable Integration integration,
            boolean isCancelled) {
        ProblemException.throwUnlessObject(body);
        rows.lock(tx, List.of(orderId));
        Faults faults = new Faults();
        JsonNode member = OrderJson.member(body, "order");
        JsonNode named = member == null ? OrderParser.NOTHING : OrderParser.changes(member, integration);
        faults.read("order", () -> {
            reader.checkPatch(Order.class, named); // those too that a change leaves as they are
            return orders.patch(tx, caller, orderId, named, (_, _, changed) -> changed);
        });
        JsonNode customer = OrderJson.member(body, "customer");
        if (customer != null) {
            faults.read("customer", () -> buyers.change(tx, caller, orderId, customer, integration));
        }
        JsonNode array = OrderJson.member(body, "items");
        if (array != null) {
            List<OrderItem> read = items.parseAll(tx, array, orderId, integration, faults);
            faults.check();
            faults.read("items", () -> replaceItems(tx, orderId, array, read, integration));
        }
        faults.check();
        printOrCancel(tx, orderId, integration, isCancelled);
        return new AcceptedOrder(orderId, rows.findCustomer(tx, orderId).orElse(null));
    }

    /** Replaces the items; reopens a closed order if its integration adds pieces. */
    private List<OrderItem> replaceItems(
            Tx tx, String orderId, JsonNode array, List<OrderItem> read, @Nullable Integration integration) {
        Map<String, OrderItem> before =
                items.findByOrder(tx, orderId).stream().collect(Collectors.toMap(OrderItem::id, Function.identity()));
        List<OrderItem> made = items.replace(tx, orderId, array, read);
        if (integration != null
                && items.findByOrder(tx, orderId).stream()
                        .anyMatch(item -> item.asksForMoreThan(before.get(item.id())))) {
            progress.reopenUnlessCancelled(tx, orderId);
        }
        return made;
    }

    /** Returns the stored order, with its customer and items. */
    public RawJson<OrderResponse> response(Tx tx, Caller caller, AcceptedOrder taken) {
        RawJson<Order> json = orders.table()
                .get(tx, taken.orderId(), orders.table().secretVisibility(caller))
                .orElseThrow(() -> ProblemException.notFound("order"));
        String customer = Optional.ofNullable(taken.customerId())
                .flatMap(id -> customers.table().get(tx, id, customers.table().secretVisibility(caller)))
                .map(RawJson::text)
                .orElse("null");
        return json.wrap(
                "{\"order\":",
                ",\"customer\":" + customer + ",\"items\":"
                        + items.toJson(tx, taken.orderId()).text() + "}");
    }
}
