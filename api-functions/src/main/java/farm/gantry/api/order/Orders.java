package farm.gantry.api.order;

import farm.gantry.Permission;
import farm.gantry.api.csv.CsvImports;
import farm.gantry.api.csv.ImportResult;
import farm.gantry.api.database.Database;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.http.CsvResponses;
import farm.gantry.api.http.IfMatch;
import farm.gantry.api.query.Columns;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.resource.ChangeRoutes;
import farm.gantry.api.resource.JsonResponses;
import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.order.Order;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Put;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.http.annotation.Status;
import io.micronaut.json.tree.JsonNode;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The routes of orders with their items and customers. Deleting an order deletes its items and cancels its waiting jobs. */
@Controller("/v1/orders")
final class Orders extends ChangeRoutes<Order> {
    private static final String PATH = "/v1/orders";
    private static final List<String> WHOLE = List.of("items", "customer");

    private final OrderIntake intake;
    private final Database database;
    private final CsvImports imports;

    Orders(ResourceFactory factory, OrderIntake intake, OrderClosing closing, Database database, CsvImports imports) {
        super(factory.of(Order.class, "order")
                .answeredAs(ListQuery.ofOne(Columns.of(Order.class), Map.of(), WHOLE))
                .followedBy((tx, before, after) -> {
                    if (after.isEmpty()) {
                        closing.withdrawJobs(tx, before.stream().map(Order::id).toList());
                    }
                }));
        this.intake = intake;
        this.database = database;
        this.imports = imports;
    }

    /**
     * Creates an order with its customer and items. A customer with the email address of an existing one updates that one. If the
     * integration already has an order with this {@code externalId}, the request updates it as {@code PUT} does; an identical repetition
     * changes nothing. Items whose {@code externalSku} is on the store's ignore list are marked as ignored. With the integration's {@code
     * autoPrint}, the jobs are queued immediately.
     */
    @Post
    @Status(HttpStatus.CREATED)
    @RequiresPermission(Permission.ORDER_CREATE)
    HttpResponse<OrderResponse> create(Caller caller, @Body @BodyType(NewOrder.class) JsonNode body) {
        return JsonResponses.created(intake.runExclusively(
                body, () -> database.in(caller, tx -> intake.response(tx, caller, intake.accept(tx, caller, body)))));
    }

    /**
     * Creates orders from CSV, all of the file or none. The first line names the columns: fields of an order, its
     * customer and an item, such as {@code order.orderNumber}, {@code customer.email}, {@code item.externalSku} and
     * {@code item.quantity}. Lines that follow each other with the same {@code order.externalId}, or else {@code
     * order.orderNumber}, are the items of one order; its other fields come from the first of them. Columns that only
     * the server sets are ignored. With {@code dryRun=true}, nothing is stored; every faulty cell is named.
     */
    @Post("/import")
    @Consumes({CsvResponses.CSV, MediaType.ALL})
    @RequiresPermission(Permission.ORDER_CREATE)
    ImportResult importCsv(
            Caller caller,
            HttpRequest<?> request,
            @Nullable @Body InputStream body,
            @QueryValue(defaultValue = "false") boolean dryRun) {
        return imports.create(
                caller,
                OrderImport.group(imports.read(request, body, OrderImport.TYPES)),
                dryRun,
                (tx, orders) -> intake.acceptAll(tx, caller, orders));
    }

    /**
     * Changes an order, its customer and its items. Only the fields in the body change. If the body has items, they replace all items of
     * the order: an item with the {@code externalId} of a stored one, or without it but with its {@code externalSku} or {@code skuId},
     * updates that one. Jobs at printers continue; {@code POST /v1/orders/print} adapts the queue.
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
                request,
                PATH,
                ListQuery.of(
                        resources.table().columns(), request.getParameters().asMap(), WHOLE));
    }
}
