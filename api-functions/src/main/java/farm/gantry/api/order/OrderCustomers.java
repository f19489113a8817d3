package farm.gantry.api.order;

import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.ResourceRoutes;
import farm.gantry.order.Customer;
import io.micronaut.http.annotation.Controller;

/** The routes of customers below those of orders. */
@Controller("/v1/orders/customers")
final class OrderCustomers extends ResourceRoutes<Customer> {
    OrderCustomers(ResourceFactory factory) {
        super(factory.of(Customer.class, "customer"));
    }
}
