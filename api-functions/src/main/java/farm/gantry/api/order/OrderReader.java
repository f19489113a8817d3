package farm.gantry.api.order;

import farm.gantry.Id;
import farm.gantry.StoreId;
import farm.gantry.api.error.Faults;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.json.StorableText;
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
import org.jspecify.annotations.Nullable;

/** Reads orders as they are sent, with their customers and items. */
@Singleton
final class OrderReader {
    /** Stands for that of an order that could not be read. */
    private static final String NO_ID = "0".repeat(24);

    static final JsonNode NOTHING = JsonNode.createObjectNode(Map.of());

    private final Resources<Order> orders;
    private final Resources<Customer> customers;
    private final ItemsOfOrders items;

    OrderReader(ResourceFactory factory, ItemsOfOrders items) {
        this.orders = factory.of(Order.class, "order");
        this.customers = factory.of(Customer.class, "customer");
        this.items = items;
    }

    record Read(Order order, @Nullable Customer customer, List<OrderItem> items) {}

    /** A member that is a text; one that cannot be stored is refused when the record is read. */
    static @Nullable String text(@Nullable JsonNode body, String name) {
        JsonNode member = member(body, name);
        return member != null && member.isString() && StorableText.isStorable(member.getStringValue())
                ? member.getStringValue()
                : null;
    }

    /** A member that is there and not null. */
    static @Nullable JsonNode member(@Nullable JsonNode body, String name) {
        JsonNode member = body == null ? null : body.get(name);
        return member == null || member.isNull() ? null : member;
    }

    /** What the body says, with all that is wrong with it. */
    Read read(StoreId store, JsonNode body, @Nullable Integration integration) {
        ProblemException.throwUnlessObject(body);
        Faults faults = new Faults();
        JsonNode named = member(body, "order");
        if (named == null) {
            faults.add("order", "required", "order is required");
        }
        Optional<Order> order = faults.read(
                "order", () -> orders.record(store, filled(named == null ? NOTHING : named, integration), Map.of()));
        JsonNode customer = member(body, "customer");
        Optional<Customer> buyer = customer == null
                ? Optional.empty()
                : faults.read("customer", () -> customers.record(store, of(customer, integration), Map.of()));
        JsonNode array = member(body, "items");
        List<OrderItem> read = array == null
                ? List.of()
                : items.records(store, array, order.map(Order::id).orElse(NO_ID), integration, faults);
        faults.check();
        return new Read(order.orElseThrow(), buyer.orElse(null), read);
    }

    /** Where the order comes from, and a number where it has none, which only a market may say with null. */
    private static JsonNode filled(JsonNode order, @Nullable Integration integration) {
        if (!order.isObject()) {
            return order;
        }
        JsonNode filled = of(order, integration);
        JsonNode source = member(order, "source");
        if (integration != null) {
            if (source == null || isSource(text(order, "source"))) {
                String type = integration.type().name();
                filled = RecordReader.with(
                        filled, "source", isSource(type) ? JsonNode.createStringNode(type) : JsonNode.nullNode());
            }
        } else if (source == null) {
            filled = RecordReader.with(filled, "source", JsonNode.createStringNode(Order.Source.manual.name()));
        }
        String externalId = text(order, "externalId");
        JsonNode number = integration == null ? order.get("orderNumber") : member(order, "orderNumber");
        return number != null
                ? filled
                : RecordReader.with(
                        filled,
                        "orderNumber",
                        JsonNode.createStringNode(
                                externalId != null ? externalId : Id.random(8).toUpperCase(Locale.ROOT)));
    }

    /** What a later delivery changes of its order, which keeps its number where a market says none. */
    static JsonNode changes(JsonNode order, @Nullable Integration integration) {
        if (integration == null || !order.isObject()) {
            return order;
        }
        JsonNode filled = filled(order, integration);
        return member(order, "orderNumber") == null ? RecordReader.without(filled, "orderNumber") : filled;
    }

    private static boolean isSource(@Nullable String name) {
        return Arrays.stream(Order.Source.values())
                .anyMatch(source -> source.name().equals(name));
    }

    /** The body with the integration that sent it. */
    static JsonNode of(JsonNode body, @Nullable Integration integration) {
        return integration == null || !body.isObject()
                ? body
                : RecordReader.with(body, "integrationId", JsonNode.createStringNode(integration.id()));
    }
}
