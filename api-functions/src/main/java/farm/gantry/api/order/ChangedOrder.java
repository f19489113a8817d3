package farm.gantry.api.order;

import farm.gantry.order.Customer;
import farm.gantry.order.Order;
import farm.gantry.order.OrderItem;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is to change about an order: the fields named of it and of its customer, and all its items. */
@Serdeable
record ChangedOrder(
        @Nullable Order order,
        @Nullable Customer customer,
        @Nullable List<OrderItem> items) {}
