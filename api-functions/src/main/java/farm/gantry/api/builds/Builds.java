package farm.gantry.api.builds;

import farm.gantry.Permission;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.Faults;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.job.lifecycle.OrderRows;
import farm.gantry.api.json.RawJson;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.resource.JsonResponses;
import farm.gantry.api.schedule.Scheduler;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.builds.BuildPlan;
import farm.gantry.order.OrderItem;
import farm.gantry.promise.Promise;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import io.micronaut.json.tree.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Creates builds of parts and SKUs. A request is queued completely, or not at all. */
@Controller("/v2/builds")
@Blocking
final class Builds {
    private final Table<OrderItem> items;
    private final OrderRows orders;
    private final BuildPlanner planner;
    private final BuildCreator creator;
    private final BuildResponses responses;
    private final BuildPromises promises;
    private final Database database;
    private final RecordReader reader;
    private final Scheduler scheduler;

    Builds(
            Tables tables,
            OrderRows orders,
            BuildPlanner planner,
            BuildCreator creator,
            BuildResponses responses,
            BuildPromises promises,
            Database database,
            RecordReader reader,
            Scheduler scheduler) {
        this.items = tables.of(OrderItem.class);
        this.orders = orders;
        this.planner = planner;
        this.creator = creator;
        this.responses = responses;
        this.promises = promises;
        this.database = database;
        this.reader = reader;
        this.scheduler = scheduler;
    }

    /**
     * Queues parts and whole SKUs. Creates a part build for each part and for each linked part of each SKU, and a job
     * for each plate of each copy. The jobs of a SKU are queued instance by instance. At most 25,000 jobs at once. If no
     * printer can take the first job now, {@code waitsFor} says why.
     */
    @Post
    @Status(HttpStatus.CREATED)
    @RequiresPermission(Permission.JOB_CREATE)
    HttpResponse<BuildsResponse> create(Caller caller, @Body @BodyType(BuildRequest.class) JsonNode body) {
        BuildRequest request = reader.read(BuildRequest.class, body);
        RawJson<BuildsResponse> queued =
                database.in(caller, tx -> responses.create(tx, caller, creator.create(tx, plans(tx, request))));
        scheduler.trigger(caller.store());
        return JsonResponses.created(queued);
    }

    /** Previews what the same body would queue. Nothing is queued, and no serial numbers are drawn. */
    @Post("/preview")
    @Status(HttpStatus.CREATED)
    @RequiresPermission(Permission.JOB_CREATE)
    BuildPreview preview(Caller caller, @Body @BodyType(BuildRequest.class) JsonNode body) {
        BuildRequest request = reader.read(BuildRequest.class, body);
        return database.in(caller, tx -> {
            List<BuildPlan> plans = plans(tx, request);
            Promise promise = request.promise() ? promises.promiseAll(tx, plans) : Promise.NONE;
            return BuildPreview.of(plans, creator.lockSequences(tx, plans), promise);
        });
    }

    /** Plans the request with its orders locked, because printing an order counts its jobs. */
    private List<BuildPlan> plans(Tx tx, BuildRequest request) {
        List<BuildRequest.@Nullable OrderLink> links =
                request.skus().stream().map(BuildRequest.RequestedSku::order).toList();
        List<BuildRequest.OrderLink> named =
                links.stream().flatMap(Stream::ofNullable).toList();
        Faults faults = new Faults();
        if (!named.isEmpty()) {
            orders.lock(
                    tx,
                    named.stream()
                            .map(BuildRequest.OrderLink::orderId)
                            .distinct()
                            .toList());
            Map<String, OrderItem> found = items.findAll(
                    tx, named.stream().map(BuildRequest.OrderLink::orderItemId).toList());
            for (int i = 0; i < links.size(); i++) {
                BuildRequest.OrderLink link = links.get(i);
                if (link == null) {
                    continue;
                }
                OrderItem item = found.get(link.orderItemId());
                String path = "skus[" + i + "].order.orderItemId";
                if (item == null) {
                    faults.add(path, "unknown", path + ": there is no order item " + link.orderItemId());
                } else if (!item.orderId().equals(link.orderId())) {
                    faults.add(path, "invalid", path + ": the item belongs to another order");
                }
            }
        }
        Optional<List<BuildPlan>> plans = faults.read("", () -> planner.plan(tx, request));
        faults.check();
        return plans.orElseThrow();
    }
}
