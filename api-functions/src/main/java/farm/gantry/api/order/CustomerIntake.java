package farm.gantry.api.order;

import farm.gantry.api.database.Change;
import farm.gantry.api.database.Secrets;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.job.lifecycle.OrderRows;
import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.security.Caller;
import farm.gantry.integration.Integration;
import farm.gantry.order.Customer;
import farm.gantry.order.Order;
import io.micronaut.json.tree.JsonNode;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Takes in the customers of orders: one that is known by its external id or its address of mail stays one. */
@Singleton
final class CustomerIntake {
    private final Resources<Customer> customers;
    private final Table<Order> orders;
    private final OrderRows rows;

    CustomerIntake(ResourceFactory factory, Tables tables, OrderRows rows) {
        this.customers = factory.of(Customer.class, "customer");
        this.orders = tables.of(Order.class);
        this.rows = rows;
    }

    /**
     * The id of a new order's customer, whose references are checked; what an integration says of one that is known is the latest,
     * and changes them.
     */
    String findOrCreate(Tx tx, Caller caller, Customer read, JsonNode body, @Nullable Integration integration) {
        Optional<String> known = rows.lockCustomer(tx, read.integrationId(), read.externalId(), read.email());
        if (known.isPresent()) {
            if (integration != null) {
                patch(tx, caller, known.get(), body, integration);
            }
            return known.get();
        }
        customers.table().insertUnchecked(tx, List.of(read), Secrets.Visibility.HIDDEN);
        return read.id();
    }

    /** Changes an order's customer, or gives it one, and returns their id. */
    String change(Tx tx, Caller caller, String orderId, JsonNode body, @Nullable Integration integration) {
        Optional<String> known = rows.findCustomer(tx, orderId);
        if (known.isPresent()) {
            patch(tx, caller, known.get(), body, integration);
            return known.get();
        }
        Customer read = customers.parseNew(tx.store(), OrderParser.withIntegration(body, integration), Map.of());
        customers.table().checkReferences(tx, List.of(read));
        String made = findOrCreate(tx, caller, read, body, integration);
        orders.change(tx, orderId, new Change<Order>().set(Order::customerId, made));
        return made;
    }

    /** Changes a customer but keeps the id under which another integration knows them. */
    private void patch(Tx tx, Caller caller, String id, JsonNode body, @Nullable Integration integration) {
        customers.patch(
                tx,
                caller,
                id,
                OrderParser.withIntegration(body, integration),
                (_, before, changed) -> integration == null || integration.id().equals(before.integrationId())
                        ? changed
                        : changed.withIdentityOf(before));
    }
}
