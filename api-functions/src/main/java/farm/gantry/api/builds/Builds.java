package farm.gantry.api.builds;

import farm.gantry.Permission;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.json.RawJson;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.resource.Answers;
import farm.gantry.api.schedule.Scheduler;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.api.store.Database;
import farm.gantry.builds.BuildPlan;
import farm.gantry.promise.Promise;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import io.micronaut.json.tree.JsonNode;
import java.util.List;

/** Builds: wishes for copies become jobs, all of them or none. */
@Controller("/v2/builds")
@Blocking
final class Builds {
    private final BuildPlanner planner;
    private final BuildCreator creator;
    private final BuildPromises promises;
    private final Database database;
    private final RecordReader reader;
    private final Scheduler scheduler;

    Builds(
            BuildPlanner planner,
            BuildCreator creator,
            BuildPromises promises,
            Database database,
            RecordReader reader,
            Scheduler scheduler) {
        this.planner = planner;
        this.creator = creator;
        this.promises = promises;
        this.database = database;
        this.reader = reader;
        this.scheduler = scheduler;
    }

    /**
     * Queues parts and whole SKUs: a part build for each part and for each linked part of each SKU, and a job for each plate
     * of each copy. The jobs of a SKU are queued instance by instance. At most 25,000 jobs at once.
     */
    @Post
    @Status(HttpStatus.CREATED)
    @RequiresPermission(Permission.JOB_CREATE)
    HttpResponse<BuildAnswer> create(Caller caller, @Body @BodyType(BuildRequest.class) JsonNode body) {
        BuildRequest request = reader.read(BuildRequest.class, body);
        RawJson<BuildAnswer> queued = database.in(caller, tx -> creator.create(tx, planner.plans(tx, request)));
        scheduler.trigger(caller.store());
        return Answers.created(queued);
    }

    /** What the same body would queue; nothing is queued, adopted or drawn. */
    @Post("/preview")
    @Status(HttpStatus.CREATED)
    @RequiresPermission(Permission.JOB_CREATE)
    BuildPreview preview(Caller caller, @Body @BodyType(BuildRequest.class) JsonNode body) {
        BuildRequest request = reader.read(BuildRequest.class, body);
        return database.in(caller, tx -> {
            List<BuildPlan> plans = planner.plans(tx, request);
            Promise promise = request.promise() ? promises.of(tx, plans) : Promise.NONE;
            return BuildPreview.of(plans, creator.draws(tx, plans), promise);
        });
    }
}
