package farm.gantry.api.order;

import farm.gantry.Id;
import farm.gantry.api.builds.ItemBuilds;
import farm.gantry.api.deliver.Webhooks;
import farm.gantry.api.error.Faults;
import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.json.RawJson;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.security.Caller;
import farm.gantry.api.store.OrderRows;
import farm.gantry.api.store.Secrets;
import farm.gantry.api.store.Table;
import farm.gantry.api.store.Tables;
import farm.gantry.api.store.Tx;
import farm.gantry.integration.Integration;
import farm.gantry.notification.EventName;
import farm.gantry.order.Customer;
import farm.gantry.order.Order;
import farm.gantry.order.OrderItem;
import io.micronaut.json.tree.JsonNode;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Takes in orders, of people and of integrations. One that its sender calls by an external id is kept once, however often
 * and by however many at once it is delivered: a repeated delivery changes nothing, another one changes the order.
 */
@Singleton
public final class OrderIntake {
    /** An order that was taken in, and whether it is new, was changed, or was known already. */
    public record Taken(String orderId, Outcome outcome) {}

    public enum Outcome {
        CREATED,
        CHANGED,
        UNCHANGED
    }

    private record Read(Order order, @Nullable Customer customer, List<OrderItem> items) {}

    /** Stands for that of an order that could not be read. */
    private static final String NO_ID = "0".repeat(24);

    private static final int TURNS = 1024;
    private static final JsonNode NOTHING = JsonNode.createObjectNode(Map.of());

    private final List<Lock> turns =
            Stream.<Lock>generate(ReentrantLock::new).limit(TURNS).toList();
    private final Resources<Order> orders;
    private final Resources<Customer> customers;
    private final ItemsOfOrders items;
    private final Table<Integration> integrations;
    private final OrderPrinting printing;
    private final OrderRows rows;
    private final Webhooks webhooks;
    private final RecordReader reader;

    OrderIntake(
            ResourceFactory factory,
            Tables tables,
            ItemsOfOrders items,
            OrderPrinting printing,
            OrderRows rows,
            Webhooks webhooks,
            RecordReader reader) {
        this.orders = factory.of(Order.class, "order");
        this.customers = factory.of(Customer.class, "customer");
        this.items = items;
        this.integrations = tables.of(Integration.class);
        this.printing = printing;
        this.rows = rows;
        this.webhooks = webhooks;
        this.reader = reader;
    }

    /**
     * Does the work when no other delivery of the body's order is being taken in by this process. The lock in the database holds
     * for all processes; whoever waits here holds no connection meanwhile.
     */
    public <T> T inTurn(JsonNode body, Supplier<T> work) {
        JsonNode externalId = member(member(body, "order"), "externalId");
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

    /** Takes in the order of a body, for the integration that it names. */
    public Taken take(Tx tx, Caller caller, JsonNode body) {
        Optional<Integration> integration = Optional.ofNullable(text(member(body, "order"), "integrationId"))
                .flatMap(id -> integrations.find(tx, id));
        return take(tx, caller, body, integration.orElse(null));
    }

    /** The same of an order that the integration sent; its jobs are queued at once if the integration wants that. */
    public Taken take(Tx tx, Caller caller, JsonNode body, @Nullable Integration integration) {
        JsonNode order = member(body, "order");
        String externalId = text(order, "externalId");
        if (externalId == null) {
            return create(tx, read(tx, body, integration), integration);
        }
        String hash = hash(body);
        String integrationId = integration == null ? text(order, "integrationId") : integration.id();
        Optional<OrderRows.Delivered> known = rows.lockDelivered(tx, integrationId, externalId);
        if (known.isPresent() && hash.equals(known.get().hash())) {
            return new Taken(known.get().orderId(), Outcome.UNCHANGED);
        }
        Read read = read(tx, body, integration);
        Taken taken = known.isPresent()
                ? change(tx, caller, known.get().orderId(), body, integration)
                : create(tx, read, integration);
        rows.setDeliveryHash(tx, taken.orderId(), hash);
        return taken;
    }

    private static @Nullable String text(@Nullable JsonNode body, String name) {
        JsonNode member = member(body, name);
        return member != null && member.isString() ? member.getStringValue() : null;
    }

    private static @Nullable JsonNode member(@Nullable JsonNode body, String name) {
        JsonNode member = body == null || !body.isObject() ? null : body.get(name);
        return member == null || member.isNull() ? null : member;
    }

    private String hash(JsonNode body) {
        try {
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(sha256.digest(reader.text(body).getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What the body says, with all that is wrong with it. */
    private Read read(Tx tx, JsonNode body, @Nullable Integration integration) {
        if (!body.isObject()) {
            throw new ProblemException(new Problem.MalformedJson("the body must be an object"));
        }
        Faults faults = new Faults();
        JsonNode named = member(body, "order");
        if (named == null) {
            faults.add("order", "required", "order is required");
        }
        Optional<Order> order = faults.read(
                "order",
                () -> orders.record(tx.store(), filled(named == null ? NOTHING : named, integration), Map.of()));
        JsonNode customer = member(body, "customer");
        Optional<Customer> buyer = customer == null
                ? Optional.empty()
                : faults.read("customer", () -> customers.record(tx.store(), of(customer, integration), Map.of()));
        JsonNode array = member(body, "items");
        List<OrderItem> read = array == null
                ? List.of()
                : items.records(tx.store(), array, order.map(Order::id).orElse(NO_ID), faults);
        faults.check();
        return new Read(order.orElseThrow(), buyer.orElse(null), read);
    }

    /** Where the order comes from, and a number where it has none. */
    private static JsonNode filled(JsonNode order, @Nullable Integration integration) {
        if (!order.isObject()) {
            return order;
        }
        JsonNode filled = of(order, integration);
        if (integration != null) {
            String type = integration.type().name();
            boolean isMarket = Arrays.stream(Order.Source.values())
                    .anyMatch(source -> source.name().equals(type));
            filled = RecordReader.with(
                    filled, "source", isMarket ? JsonNode.createStringNode(type) : JsonNode.nullNode());
        } else if (member(order, "source") == null) {
            filled = RecordReader.with(filled, "source", JsonNode.createStringNode(Order.Source.manual.name()));
        }
        JsonNode externalId = member(order, "externalId");
        return member(order, "orderNumber") != null
                ? filled
                : RecordReader.with(
                        filled,
                        "orderNumber",
                        externalId != null
                                ? externalId
                                : JsonNode.createStringNode(Id.random(8).toUpperCase(Locale.ROOT)));
    }

    private static JsonNode of(JsonNode body, @Nullable Integration integration) {
        return integration == null || !body.isObject()
                ? body
                : RecordReader.with(body, "integrationId", JsonNode.createStringNode(integration.id()));
    }

    private Taken create(Tx tx, Read read, @Nullable Integration integration) {
        String customerId =
                read.customer() == null ? read.order().customerId() : kept(tx, read.customer(), integration);
        Order order = read.order().withCustomer(customerId);
        Faults faults = new Faults();
        boolean isKnown =
                (read.customer() != null || customerId == null) && isKnown(order.integrationId(), integration);
        faults.read("order", () -> insert(tx, orders.table(), order, isKnown));
        faults.check();
        if (!read.items().isEmpty()) {
            faults.read("items", () -> items.insert(tx, read.items()));
            faults.check();
        }
        boolean isManual = order.source() == Order.Source.manual;
        webhooks.emitOrder(tx, isManual ? EventName.onOrderCreatedManual : EventName.onOrderCreatedRetail, order.id());
        printAtOnce(tx, order.id(), integration);
        return new Taken(order.id(), Outcome.CREATED);
    }

    /** The customer's id; one that is known by its external id or its address of mail stays one. */
    private String kept(Tx tx, Customer customer, @Nullable Integration integration) {
        Optional<String> known =
                rows.lockCustomer(tx, customer.integrationId(), customer.externalId(), customer.email());
        if (known.isEmpty()) {
            insert(tx, customers.table(), customer, isKnown(customer.integrationId(), integration));
        }
        return known.orElse(customer.id());
    }

    private static boolean isKnown(@Nullable String integrationId, @Nullable Integration integration) {
        return integration != null || integrationId == null;
    }

    /** Inserts a record, of which it may be known that what it refers to is there. */
    private static <R> RawJson<List<R>> insert(Tx tx, Table<R> table, R record, boolean isKnown) {
        return isKnown
                ? table.insertReferring(tx, List.of(record), Secrets.Shown.HIDDEN)
                : table.insertAll(tx, List.of(record), Secrets.Shown.HIDDEN);
    }

    private void printAtOnce(Tx tx, String orderId, @Nullable Integration integration) {
        if (integration == null || !Boolean.TRUE.equals(integration.settings().autoPrint())) {
            return;
        }
        boolean isPrinted = printing.print(tx, List.of(orderId), null, ItemBuilds.Place.LAST).stream()
                .anyMatch(printed -> printed.queued() > 0);
        if (isPrinted) {
            webhooks.emitOrder(tx, EventName.onOrdersAutoPrinted, orderId);
        }
    }

    /**
     * Changes the fields that the body names, and the items to those that it holds, if it holds any array of them. What
     * prints is left alone.
     */
    Taken change(Tx tx, Caller caller, String orderId, JsonNode body, @Nullable Integration integration) {
        rows.lock(tx, List.of(orderId));
        Faults faults = new Faults();
        JsonNode named = member(body, "order");
        faults.read(
                "order",
                () -> orders.patch(tx, caller, orderId, named == null ? NOTHING : named, (_, _, changed) -> changed));
        JsonNode customer = member(body, "customer");
        if (customer != null) {
            faults.read("customer", () -> changeCustomer(tx, caller, orderId, of(customer, integration)));
        }
        JsonNode array = member(body, "items");
        if (array != null) {
            List<OrderItem> read = items.records(tx.store(), array, orderId, faults);
            faults.check();
            faults.read("items", () -> items.replace(tx, caller, orderId, array, read));
        }
        faults.check();
        printAtOnce(tx, orderId, integration);
        return new Taken(orderId, Outcome.CHANGED);
    }

    private String changeCustomer(Tx tx, Caller caller, String orderId, JsonNode body) {
        String known = orders.table().find(tx, orderId).orElseThrow().customerId();
        if (known != null) {
            customers.patch(tx, caller, known, body, (_, _, changed) -> changed);
            return known;
        }
        String made = kept(tx, customers.record(tx.store(), body, Map.of()), null);
        orders.table().change(tx, orderId, Map.of(), Map.of("customerId", made));
        return made;
    }

    /** The order as it is kept, with its customer and items. */
    public RawJson<OrderAnswer> answer(Tx tx, Caller caller, String orderId) {
        Secrets.Shown shown = Resources.shown(caller);
        RawJson<Order> json =
                orders.table().get(tx, orderId, shown).orElseThrow(() -> ProblemException.notFound("order"));
        String customer = Optional.ofNullable(orders.table().record(json).customerId())
                .flatMap(id -> customers.table().get(tx, id, shown))
                .map(RawJson::text)
                .orElse("null");
        return json.within(
                "{\"order\":",
                ",\"customer\":" + customer + ",\"items\":"
                        + items.json(tx, orderId).text() + "}");
    }
}
