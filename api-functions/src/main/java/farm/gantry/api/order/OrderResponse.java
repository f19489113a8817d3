package farm.gantry.api.order;

import farm.gantry.order.Customer;
import farm.gantry.order.Order;
import farm.gantry.order.OrderItem;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An order as it is kept. */
@Serdeable
public record OrderResponse(Order order, @Nullable Customer customer, List<OrderItem> items) {}
