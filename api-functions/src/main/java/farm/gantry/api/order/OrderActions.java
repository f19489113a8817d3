package farm.gantry.api.order;

import farm.gantry.Id;
import farm.gantry.Permission;
import farm.gantry.annotation.Default;
import farm.gantry.api.builds.OrderItemBuilds;
import farm.gantry.api.builds.Position;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.job.lifecycle.OrderRows;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.resource.JsonResponses;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.job.Priority;
import farm.gantry.order.Order;
import farm.gantry.part.PrintTags;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Patch;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The routes that print, close, reopen and cancel orders. */
@Controller("/v1/orders")
@Blocking
final class OrderActions {
    private final OrderPrinting printing;
    private final OrderClosing closing;
    private final OrderRows rows;
    private final Table<Order> orders;
    private final Database database;
    private final RecordReader reader;

    OrderActions(
            OrderPrinting printing,
            OrderClosing closing,
            OrderRows rows,
            Tables tables,
            Database database,
            RecordReader reader) {
        this.printing = printing;
        this.closing = closing;
        this.rows = rows;
        this.orders = tables.of(Order.class);
        this.database = database;
        this.reader = reader;
    }

    /**
     * The orders to print, by default all open ones, and optionally the SKUs in them. {@code priority} is 100, or 1000 for low priority.
     * {@code printerTags} restrict the printers of the jobs that this request queues and override equal tags of item and part. Jobs that
     * are already queued keep their tags.
     */
    @Serdeable
    record PrintRequest(
            @Nullable @Size(max = 1000) List<@Pattern(regexp = Id.PATTERN) String> orderIds,
            @Nullable @Size(max = 1000) List<@Pattern(regexp = Id.PATTERN) String> skuIds,
            @Default("100") @Priority int priority,
            @Nullable Position position,
            @Nullable PrintTags printerTags) {}

    /** The jobs that were queued and cancelled, by order. */
    @Serdeable
    record QueuedJobsResponse(int queued, int cancelled, List<OrderPrinting.OrderPrintResult> orders) {}

    /** The orders to change. */
    @Serdeable
    record Selection(@Size(min = 1, max = 1000) List<@Pattern(regexp = Id.PATTERN) String> orderIds) {}

    /**
     * Queues the jobs that open orders still need. Surplus jobs that are not at a printer are cancelled. Jobs that
     * print or are completed count and stay; failed jobs are queued again. It is idempotent. An item that cannot be
     * printed is listed among the problems and does not affect others. At most 25,000 jobs at once.
     */
    @Post("/print")
    @Status(HttpStatus.CREATED)
    @RequiresPermission(Permission.ORDER_PRINT)
    QueuedJobsResponse print(Caller caller, @Body @BodyType(PrintRequest.class) JsonNode body) {
        PrintRequest request = reader.read(PrintRequest.class, body);
        OrderItemBuilds.QueuePlacement place =
                new OrderItemBuilds.QueuePlacement(request.priority(), request.position(), request.printerTags());
        Set<String> skuIds = request.skuIds() == null ? null : Set.copyOf(request.skuIds());
        List<OrderPrinting.OrderPrintResult> printed = database.in(caller, tx -> {
            Collection<String> ids = request.orderIds();
            if (ids == null) {
                ids = rows.findOpenAndLacking(tx, skuIds);
            } else {
                ProblemException.throwIfMissing(
                        orders.findMissing(tx, ids).stream().sorted().toList());
            }
            return printing.print(tx, ids, skuIds, place);
        });
        return new QueuedJobsResponse(
                printed.stream()
                        .mapToInt(OrderPrinting.OrderPrintResult::queued)
                        .sum(),
                printed.stream()
                        .mapToInt(OrderPrinting.OrderPrintResult::cancelled)
                        .sum(),
                printed);
    }

    /** Cancels an order. Its waiting jobs are cancelled; jobs that are at a printer continue. */
    @Post("/{id}/cancel")
    @Status(HttpStatus.CREATED)
    @RequiresPermission(Permission.ORDER_EDIT)
    HttpResponse<Order> cancel(Caller caller, String id) {
        Resources.parseId(id);
        return JsonResponses.created(database.in(caller, tx -> {
            if (orders.lock(tx, id).isEmpty()) {
                throw ProblemException.notFound("order");
            }
            closing.cancel(tx, List.of(id));
            return orders.get(tx, id, orders.secretVisibility(caller)).orElseThrow();
        }));
    }

    /** Closes orders. The state of their items does not matter, and their jobs continue. */
    @Patch("/batch/close")
    @RequiresPermission(Permission.ORDER_EDIT)
    HttpResponse<List<Order>> close(Caller caller, @Body @BodyType(Selection.class) JsonNode body) {
        return changeEach(caller, body, closing::close);
    }

    /** Reopens closed or cancelled orders. {@code POST /v1/orders/print} queues the jobs that they lack. */
    @Patch("/batch/reopen")
    @RequiresPermission(Permission.ORDER_EDIT)
    HttpResponse<List<Order>> reopen(Caller caller, @Body @BodyType(Selection.class) JsonNode body) {
        return changeEach(caller, body, closing::reopen);
    }

    /** Cancels orders. Their waiting jobs are cancelled; jobs that are at a printer continue. */
    @Patch("/batch/cancel")
    @RequiresPermission(Permission.ORDER_EDIT)
    HttpResponse<List<Order>> cancelAll(Caller caller, @Body @BodyType(Selection.class) JsonNode body) {
        return changeEach(caller, body, closing::cancel);
    }

    private HttpResponse<List<Order>> changeEach(
            Caller caller, JsonNode body, BiConsumer<Tx, Collection<String>> change) {
        List<String> ids = reader.read(Selection.class, body).orderIds();
        return JsonResponses.ok(database.in(caller, tx -> {
            change.accept(tx, ids);
            return orders.get(tx, ids, orders.secretVisibility(caller));
        }));
    }
}
