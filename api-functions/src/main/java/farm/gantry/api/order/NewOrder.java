package farm.gantry.api.order;

import farm.gantry.annotation.Example;
import farm.gantry.order.Customer;
import farm.gantry.order.Order;
import farm.gantry.order.OrderItem;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An order with its customer and its items. */
@Serdeable
@Example("""
        {
          "order": {"orderNumber": "1042", "price": 2990, "currency": "EUR", "note": "a present"},
          "customer": {"name": "Ada", "email": "ada@example.com", "countryCode": "GB"},
          "items": [{"externalSku": "LAMP-1", "quantity": 2, "inputs": {"engraving": "Ada"}}]
        }""")
@SuppressWarnings("unused") // its components are read separately
public record NewOrder(
        Order order, @Nullable Customer customer, @Nullable List<OrderItem> items) {}
