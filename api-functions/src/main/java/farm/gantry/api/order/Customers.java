package farm.gantry.api.order;

import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.ResourceRoutes;
import farm.gantry.order.Customer;
import io.micronaut.http.annotation.Controller;

/** The routes of customers. */
@Controller("/v1/customers")
final class Customers extends ResourceRoutes<Customer> {
    Customers(ResourceFactory factory) {
        super(factory.of(Customer.class, "customer"));
    }
}
