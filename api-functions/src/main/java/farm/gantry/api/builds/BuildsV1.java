package farm.gantry.api.builds;

import farm.gantry.Permission;
import farm.gantry.api.database.Database;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.json.RawJson;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.resource.JsonResponses;
import farm.gantry.api.schedule.Scheduler;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import io.micronaut.json.tree.JsonNode;

/** Creates builds from requests in the format of version 1. Faults are reported by their paths in that format. */
@Controller("/v1/builds")
@Blocking
final class BuildsV1 {
    private final BuildPlanner planner;
    private final BuildCreator creator;
    private final BuildResponses responses;
    private final Database database;
    private final RecordReader reader;
    private final Scheduler scheduler;

    BuildsV1(
            BuildPlanner planner,
            BuildCreator creator,
            BuildResponses responses,
            Database database,
            RecordReader reader,
            Scheduler scheduler) {
        this.planner = planner;
        this.creator = creator;
        this.responses = responses;
        this.database = database;
        this.reader = reader;
        this.scheduler = scheduler;
    }

    /**
     * Queues builds, as {@code POST /v2/builds} does, from a body in the form of the first version.
     *
     * @deprecated {@code POST /v2/builds} took its place
     */
    @Deprecated
    @Post
    @Status(HttpStatus.CREATED)
    @RequiresPermission(Permission.JOB_CREATE)
    HttpResponse<BuildsResponse> create(Caller caller, @Body @BodyType(BuildRequestV1.class) JsonNode body) {
        TranslatedBuildRequest translated = TranslatedBuildRequest.translate(reader.read(BuildRequestV1.class, body));
        RawJson<BuildsResponse> queued;
        try {
            queued = database.in(
                    caller,
                    tx -> responses.create(tx, caller, creator.create(tx, planner.plan(tx, translated.request()))));
        } catch (ProblemException refused) {
            throw refused.mapPaths(translated::toV1Path);
        }
        scheduler.trigger(caller.store());
        return JsonResponses.created(queued);
    }
}
