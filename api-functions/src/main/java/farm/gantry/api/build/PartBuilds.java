package farm.gantry.api.build;

import farm.gantry.Permission;
import farm.gantry.api.As;
import farm.gantry.api.Caller;
import farm.gantry.api.Json;
import farm.gantry.api.Needs;
import farm.gantry.api.RecordReader;
import farm.gantry.api.query.Search;
import farm.gantry.api.query.SearchResponse;
import farm.gantry.api.store.Database;
import farm.gantry.api.store.Resources;
import farm.gantry.api.store.Tables;
import farm.gantry.build.PartBuild;
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
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.util.List;

/** Part builds are made by {@code /v2/builds}, read here, and put away when they are over. */
@Controller("/v1/part-builds")
@ExecuteOn(TaskExecutors.BLOCKING)
final class PartBuilds {
    private final Resources<PartBuild> builds;
    private final Database database;
    private final Archive archive;
    private final RecordReader reader;

    PartBuilds(Tables tables, Database database, Archive archive, RecordReader reader) {
        this.builds = tables.resource(PartBuild.class, "part build");
        this.database = database;
        this.archive = archive;
        this.reader = reader;
    }

    @Get
    @Needs(Permission.QUEUE_VIEW)
    HttpResponse<List<PartBuild>> list(Caller caller, HttpRequest<?> request) {
        return builds.list(caller, request);
    }

    @Post("/search")
    @Status(HttpStatus.CREATED)
    @Needs(Permission.QUEUE_VIEW)
    HttpResponse<SearchResponse<PartBuild>> search(
            Caller caller, HttpRequest<?> request, @Body @As(Search.class) JsonNode body) {
        return builds.search(caller, request, body);
    }

    @Get("/{id}")
    @Needs(Permission.QUEUE_VIEW)
    HttpResponse<PartBuild> get(Caller caller, String id, HttpRequest<?> request) {
        return builds.get(caller, id, request);
    }

    /** Takes the builds out of sight, and those of their jobs that are over; all of them or none. */
    @Patch("/archive")
    @Needs(Permission.JOB_DELETE)
    HttpResponse<List<PartBuild>> archive(Caller caller, @Body @As(Archiving.class) JsonNode body) {
        return Resources.ok(archived(caller, body));
    }

    /**
     * Does what archiving does.
     *
     * @deprecated {@code PATCH /v1/part-builds/archive} took its place
     */
    @Deprecated
    @Post("/dismiss")
    @Status(HttpStatus.CREATED)
    @Needs(Permission.JOB_DELETE)
    HttpResponse<List<PartBuild>> dismiss(Caller caller, @Body @As(Archiving.class) JsonNode body) {
        return Resources.created(archived(caller, body));
    }

    private Json<List<PartBuild>> archived(Caller caller, JsonNode body) {
        List<String> ids = reader.read(Archiving.class, body).ids();
        return database.in(caller.store(), tx -> {
            archive.partBuilds(tx, ids);
            return builds.table().get(tx, ids, Resources.shown(caller));
        });
    }
}
