package farm.gantry.api.order;

import farm.gantry.Id;
import farm.gantry.Permission;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.query.Condition.Filter;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.query.Operator;
import farm.gantry.api.resource.JsonResponses;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.order.Order;
import farm.gantry.order.OrderItem;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Patch;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.Size;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The routes of the items of one order. */
@Controller("/v1/orders/{id}/items")
@Blocking
final class OrderItemRoutes {
    private final OrderItemService items;
    private final Resources<OrderItem> resources;
    private final Table<Order> orders;
    private final Database database;
    private final RecordReader reader;

    OrderItemRoutes(OrderItemService items, Tables tables, Database database, RecordReader reader) {
        this.items = items;
        this.resources = items.resource();
        this.orders = tables.of(Order.class);
        this.database = database;
        this.reader = reader;
    }

    /** Changes of several items; each names its item by {@code id} and has the fields to replace. */
    @Serdeable
    record Batch(@Size(min = 1, max = 1000) List<Map<String, Object>> updates) {}

    /** Returns the items of an order. Filter, sort and page with the query parameters. */
    @Get
    @RequiresPermission(Permission.ORDER_VIEW)
    HttpResponse<List<OrderItem>> list(Caller caller, String id, HttpRequest<?> request) {
        Resources.parseId(id);
        database.in(caller, tx -> findOrder(tx, id));
        ListQuery query = resources.query(request);
        return resources.list(
                caller,
                request,
                query.where(Filter.of(resources.table().columns().get(OrderItem::orderId), Operator.eq, id)));
    }

    private Order findOrder(Tx tx, String id) {
        return orders.find(tx, id).orElseThrow(() -> ProblemException.notFound("order"));
    }

    /** Adds an item to an order. Its jobs are not queued; {@code POST /v1/orders/print} queues them. */
    @Post
    @Status(HttpStatus.CREATED)
    @RequiresPermission(Permission.ORDER_EDIT)
    HttpResponse<OrderItem> create(Caller caller, String id, @Body @BodyType(OrderItem.class) JsonNode body) {
        Resources.parseId(id);
        return JsonResponses.created(database.in(caller, tx -> {
            findOrder(tx, id);
            return items.create(tx, caller, items.parse(tx.store(), body, id, Id.next(), null));
        }));
    }

    /** Changes items of an order. Each item has its own change. If one is not of the order, none is changed. */
    @Patch("/batch")
    @RequiresPermission(Permission.ORDER_EDIT)
    HttpResponse<List<OrderItem>> patchBatch(Caller caller, String id, @Body @BodyType(Batch.class) JsonNode body) {
        Resources.parseId(id);
        reader.read(Batch.class, body);
        JsonNode updates = Objects.requireNonNull(body.get("updates"));
        return JsonResponses.ok(database.in(caller, tx -> {
            findOrder(tx, id);
            return resources
                    .table()
                    .get(
                            tx,
                            items.changeEach(tx, id, updates),
                            resources.table().secretVisibility(caller));
        }));
    }
}
