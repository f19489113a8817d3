package farm.gantry.api.resource;

import farm.gantry.Permission.Action;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.query.SearchRequest;
import farm.gantry.api.query.SearchResponse;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresAction;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import io.micronaut.json.tree.JsonNode;
import java.util.List;

/** Routes to read a resource. */
@Blocking
public abstract class ReadRoutes<R> {
    protected final Resources<R> resources;

    protected ReadRoutes(Resources<R> resources) {
        this.resources = resources;
    }

    @Get
    @RequiresAction(Action.VIEW)
    public HttpResponse<List<R>> list(Caller caller, HttpRequest<?> request) {
        return resources.list(caller, request);
    }

    @Post("/search")
    @Status(HttpStatus.CREATED)
    @RequiresAction(Action.VIEW)
    public HttpResponse<SearchResponse<R>> search(
            Caller caller, HttpRequest<?> request, @Body @BodyType(SearchRequest.class) JsonNode body) {
        return resources.search(caller, request, body);
    }

    @Get("/{id}")
    @RequiresAction(Action.VIEW)
    public HttpResponse<R> get(Caller caller, String id, HttpRequest<?> request) {
        return resources.get(caller, id, request);
    }
}
