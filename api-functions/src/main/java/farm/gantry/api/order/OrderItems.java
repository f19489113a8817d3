package farm.gantry.api.order;

import farm.gantry.Permission;
import farm.gantry.api.database.Database;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.http.IfMatch;
import farm.gantry.api.resource.JsonResponses;
import farm.gantry.api.resource.ResourceRoutes;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.order.OrderItem;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Put;
import io.micronaut.json.tree.JsonNode;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The items of all orders. */
@Controller("/v1/orders/items")
final class OrderItems extends ResourceRoutes<OrderItem> {
    private final OrderItemService items;
    private final Database database;

    OrderItems(OrderItemService items, Database database) {
        super(items.resource());
        this.items = items;
        this.database = database;
    }

    @Override
    public HttpResponse<OrderItem> create(Caller caller, JsonNode body) {
        OrderItem item = resources.parseNew(caller.store(), body, Map.of());
        return JsonResponses.created(database.in(caller, tx -> items.create(tx, caller, item)));
    }

    @Override
    protected Resources.ChangeRule<OrderItem> rule(Caller caller, @Nullable JsonNode update) {
        return items::resolveChange;
    }

    /** Replaces the named fields of an order item. Other fields stay, as with {@code PATCH}. */
    @Put("/{id}")
    @RequiresPermission(Permission.ORDER_EDIT)
    HttpResponse<OrderItem> put(
            Caller caller, String id, IfMatch ifMatch, @Body @BodyType(OrderItem.class) JsonNode body) {
        items.checkNamed(body);
        return patch(caller, id, ifMatch, body);
    }
}
