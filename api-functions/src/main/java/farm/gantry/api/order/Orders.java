package farm.gantry.api.order;

import farm.gantry.Permission;
import farm.gantry.api.database.Database;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.http.IfMatch;
import farm.gantry.api.query.Columns;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.resource.JsonResponses;
import farm.gantry.api.resource.ChangeRoutes;
import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.order.Order;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Put;
import io.micronaut.http.annotation.Status;
import io.micronaut.json.tree.JsonNode;
import java.util.List;
import java.util.Map;

/** Orders with their items and customers; one that is deleted takes its items and its waiting jobs along. */
@Controller("/v1/orders")
final class Orders extends ChangeRoutes<Order> {
    private static final String PATH = "/v1/orders";
    private static final List<String> WHOLE = List.of("items", "customer");

    private final OrderIntake intake;
    private final Database database;

    Orders(ResourceFactory factory, OrderIntake intake, OrderClosing closing, Database database) {
        super(factory.of(Order.class, "order")
                .answeredAs(ListQuery.ofOne(Columns.of(Order.class), Map.of(), WHOLE))
                .followedBy((tx, before, after) -> {
                    if (after.isEmpty()) {
                        closing.withdrawJobs(tx, before.stream().map(Order::id).toList());
                    }
                }));
        this.intake = intake;
        this.database = database;
    }

    /**
     * Creates an order with its customer and items. A customer with the address of mail of a known one is that one. An
     * order with an {@code externalId} that is known, in its integration, is that order: the same body again changes
     * nothing, another one changes it as {@code PUT} does. Items whose {@code externalSku} the store ignores are
     * ignored. The integration's {@code autoPrint} queues the jobs at once.
     */
    @Post
    @Status(HttpStatus.CREATED)
    @RequiresPermission(Permission.ORDER_CREATE)
    HttpResponse<OrderResponse> create(Caller caller, @Body @BodyType(NewOrder.class) JsonNode body) {
        return JsonResponses.created(intake.runExclusively(
                body, () -> database.in(caller, tx -> intake.response(tx, caller, intake.accept(tx, caller, body)))));
    }

    /**
     * Changes an order, its customer and its items. Only the fields in the body change. The items, if it holds any,
     * become all its items: one with the {@code externalId} of a kept one, or without any but with its {@code
     * externalSku} or {@code skuId}, changes that one. What prints is left alone; {@code POST /v1/orders/print} makes
     * the queue fit.
     */
    @Put("/{id}")
    @RequiresPermission(Permission.ORDER_EDIT)
    HttpResponse<OrderResponse> put(
            Caller caller, String id, IfMatch ifMatch, @Body @BodyType(OrderChangeRequest.class) JsonNode body) {
        Resources.parseId(id);
        ProblemException.throwUnlessObject(body);
        return JsonResponses.ok(database.in(caller, tx -> {
            if (resources.table().lock(tx, id).isEmpty()) {
                throw ProblemException.notFound("order");
            }
            boolean isStale = resources.isStale(tx, caller, id, ifMatch);
            OrderIntake.AcceptedOrder changed = intake.change(tx, caller, id, body);
            ProblemException.throwIfStale(isStale);
            return intake.response(tx, caller, changed);
        }));
    }

    /** Returns an order with its items and its customer, or 404 if the store has none with this id. */
    @Override
    public HttpResponse<Order> get(Caller caller, String id, HttpRequest<?> request) {
        return resources.get(
                caller,
                id,
                PATH,
                ListQuery.ofOne(
                        resources.table().columns(), request.getParameters().asMap(), WHOLE));
    }

    /** Returns an order without its items and its customer, or 404 if the store has none with this id. */
    @Get("/{id}/only")
    @RequiresPermission(Permission.ORDER_VIEW)
    HttpResponse<Order> getOnly(Caller caller, String id, HttpRequest<?> request) {
        return resources.get(
                caller,
                id,
                PATH,
                ListQuery.ofOne(
                        resources.table().columns(), request.getParameters().asMap()));
    }

    /** Returns the orders with their items and customers. Takes the query parameters of a list of orders. */
    @Get("/full")
    @RequiresPermission(Permission.ORDER_VIEW)
    HttpResponse<List<Order>> listFull(Caller caller, HttpRequest<?> request) {
        return resources.list(
                caller,
                PATH,
                ListQuery.of(
                        resources.table().columns(), request.getParameters().asMap(), WHOLE));
    }
}
