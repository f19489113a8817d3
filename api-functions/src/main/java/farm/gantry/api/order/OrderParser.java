package farm.gantry.api.order;

import farm.gantry.Id;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.Faults;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.Resources;
import farm.gantry.integration.Integration;
import farm.gantry.order.Customer;
import farm.gantry.order.Order;
import farm.gantry.order.OrderItem;
import io.micronaut.json.tree.JsonNode;
import jakarta.inject.Singleton;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Reads orders as they are sent, with their customers and items. */
@Singleton
final class OrderParser {
    /** Stands for that of an order that could not be read. */
    private static final String NO_ID = "0".repeat(24);

    static final JsonNode NOTHING = JsonNode.createObjectNode(Map.of());

    private final Resources<Order> orders;
    private final Resources<Customer> customers;
    private final OrderItemService items;

    OrderParser(ResourceFactory factory, OrderItemService items) {
        this.orders = factory.of(Order.class, "order");
        this.customers = factory.of(Customer.class, "customer");
        this.items = items;
    }

    record ParsedOrder(Order order, @Nullable Customer customer, List<OrderItem> items, boolean isCancelled) {}

    /** The body of a market, for which a text of nothing is as none, and an item of quantity 0 one that was removed. */
    static JsonNode normalizeMarketOrder(JsonNode body) {
        if (!body.isObject()) {
            return body;
        }
        JsonNode read = body;
        for (String name : List.of("order", "customer")) {
            JsonNode member = OrderJson.member(body, name);
            if (member != null && member.isObject()) {
                read = RecordReader.with(read, name, withoutBlanks(member));
            }
        }
        JsonNode items = OrderJson.member(body, "items");
        return items == null || !items.isArray()
                ? read
                : RecordReader.with(
                        read,
                        "items",
                        JsonNode.createArrayNode(
                                StreamSupport.stream(items.values().spliterator(), false)
                                        .filter(item -> !isRemoved(item))
                                        .toList()));
    }

    private static JsonNode withoutBlanks(JsonNode object) {
        JsonNode remaining = object;
        for (Map.Entry<String, JsonNode> entry : object.entries()) {
            if (entry.getValue().isString() && entry.getValue().getStringValue().isBlank()) {
                remaining = RecordReader.without(remaining, entry.getKey());
            }
        }
        return remaining;
    }

    private static boolean isRemoved(JsonNode item) {
        JsonNode quantity = OrderJson.member(item, "quantity");
        return quantity != null && quantity.isNumber() && quantity.getDoubleValue() == 0;
    }

    /**
     * What the body says, with all that is wrong with it. A market cancels its order by {@code cancelledAt}, which nobody else
     * sets.
     */
    ParsedOrder parse(Tx tx, JsonNode body, @Nullable Integration integration, boolean isOfMarket) {
        ProblemException.throwUnlessObject(body);
        Faults faults = new Faults();
        JsonNode named = OrderJson.member(body, "order");
        if (named == null) {
            faults.add("order", "required", "order is required");
        }
        JsonNode cancelledAt = isOfMarket ? OrderJson.member(named, "cancelledAt") : null;
        Optional<Order> order = faults.read(
                "order",
                () -> orders.parseNew(
                        tx.store(),
                        withDefaults(named == null ? NOTHING : named, integration),
                        cancelledAt == null ? Map.of() : Map.of("cancelledAt", cancelledAt)));
        JsonNode customer = OrderJson.member(body, "customer");
        Optional<Customer> buyer = customer == null
                ? Optional.empty()
                : faults.read("customer", () -> customers.parseNew(tx.store(), withIntegration(customer, integration), Map.of()));
        order.map(read -> customer == null ? read : read.withCustomer(null))
                .filter(read -> read.customerId() != null || !isKnown(read.integrationId(), integration))
                .ifPresent(read -> check(tx, orders.table(), read, "order", faults));
        buyer.filter(read -> !isKnown(read.integrationId(), integration))
                .ifPresent(read -> check(tx, customers.table(), read, "customer", faults));
        JsonNode array = OrderJson.member(body, "items");
        List<OrderItem> read = array == null
                ? List.of()
                : items.parseAll(tx, array, order.map(Order::id).orElse(NO_ID), integration, faults);
        faults.check();
        return new ParsedOrder(order.orElseThrow().asNotCancelled(), buyer.orElse(null), read, cancelledAt != null);
    }

    private static <R> void check(Tx tx, Table<R> table, R read, String path, Faults faults) {
        faults.run(path, () -> table.checkReferences(tx, List.of(read)));
    }

    /** Returns whether the integration of that id is known to be there. */
    private static boolean isKnown(@Nullable String integrationId, @Nullable Integration integration) {
        return integration != null || integrationId == null;
    }

    /** Fills in the source of the order, and a number where it has none; only a market may send null for it. */
    private static JsonNode withDefaults(JsonNode order, @Nullable Integration integration) {
        if (!order.isObject()) {
            return order;
        }
        JsonNode filled = withIntegration(order, integration);
        JsonNode source = OrderJson.member(order, "source");
        if (integration != null) {
            if (source == null || isSource(OrderJson.text(order, "source"))) {
                String type = integration.type().name();
                filled = RecordReader.with(
                        filled, "source", isSource(type) ? JsonNode.createStringNode(type) : JsonNode.nullNode());
            }
        } else if (source == null) {
            filled = RecordReader.with(filled, "source", JsonNode.createStringNode(Order.Source.manual.name()));
        }
        String externalId = OrderJson.text(order, "externalId");
        JsonNode number = integration == null ? order.get("orderNumber") : OrderJson.member(order, "orderNumber");
        return number != null
                ? filled
                : RecordReader.with(
                        filled,
                        "orderNumber",
                        JsonNode.createStringNode(
                                externalId != null ? externalId : Id.random(8).toUpperCase(Locale.ROOT)));
    }

    /** Returns the order changed by a later delivery; it keeps its number when the market sends none. */
    static JsonNode changes(JsonNode order, @Nullable Integration integration) {
        if (integration == null || !order.isObject()) {
            return order;
        }
        JsonNode filled = withDefaults(order, integration);
        return OrderJson.member(order, "orderNumber") == null ? RecordReader.without(filled, "orderNumber") : filled;
    }

    private static boolean isSource(@Nullable String name) {
        return Arrays.stream(Order.Source.values())
                .anyMatch(source -> source.name().equals(name));
    }

    /** The body with the integration that sent it. */
    static JsonNode withIntegration(JsonNode body, @Nullable Integration integration) {
        return integration == null || !body.isObject()
                ? body
                : RecordReader.with(body, "integrationId", JsonNode.createStringNode(integration.id()));
    }
}
