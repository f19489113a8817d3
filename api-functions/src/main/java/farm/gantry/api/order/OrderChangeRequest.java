package farm.gantry.api.order;

import farm.gantry.order.Customer;
import farm.gantry.order.Order;
import farm.gantry.order.OrderItem;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Changes of an order: the named fields of it and of its customer, and all its items. */
@Serdeable
record OrderChangeRequest(
        @Nullable Order order,
        @Nullable Customer customer,
        @Nullable List<OrderItem> items) {}
