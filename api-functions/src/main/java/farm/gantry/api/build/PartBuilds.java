package farm.gantry.api.build;

import farm.gantry.Permission;
import farm.gantry.api.As;
import farm.gantry.api.Caller;
import farm.gantry.api.Needs;
import farm.gantry.api.query.Search;
import farm.gantry.api.query.SearchResponse;
import farm.gantry.api.store.Resources;
import farm.gantry.api.store.Tables;
import farm.gantry.build.PartBuild;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.util.List;

/** Part builds are made by {@code /v2/builds} and read here. */
@Controller("/v1/part-builds")
@ExecuteOn(TaskExecutors.BLOCKING)
final class PartBuilds {
    private final Resources<PartBuild> builds;

    PartBuilds(Tables tables) {
        this.builds = tables.resource(PartBuild.class, "part build");
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
}
