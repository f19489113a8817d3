package farm.gantry.api.order;

import farm.gantry.Permission;
import farm.gantry.api.cost.OrderCost;
import farm.gantry.api.cost.OrderCostRows;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.order.Order;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;

/** The cost of an order, and the margin left of its price. */
@Controller("/v1/orders/{id}/cost")
@Blocking
final class OrderCostRoutes {
    private final Table<Order> orders;
    private final OrderItemService items;
    private final OrderCostRows costs;
    private final Database database;

    OrderCostRoutes(Tables tables, OrderItemService items, OrderCostRows costs, Database database) {
        this.orders = tables.of(Order.class);
        this.items = items;
        this.costs = costs;
        this.database = database;
    }

    /** Returns the cost and the margin of an order. Prints that did not end yet are estimated. */
    @Get
    @RequiresPermission(Permission.ORDER_VIEW)
    OrderCost get(Caller caller, String id) {
        Resources.parseId(id);
        return database.in(caller, tx -> {
            Order order = orders.find(tx, id).orElseThrow(() -> ProblemException.notFound("order"));
            return costs.calculate(tx, order, items.findByOrder(tx, id));
        });
    }
}
