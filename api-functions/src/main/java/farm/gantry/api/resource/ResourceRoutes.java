package farm.gantry.api.resource;

import farm.gantry.Permission.Action;
import farm.gantry.api.As;
import farm.gantry.api.Caller;
import farm.gantry.api.NeedsTo;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import io.micronaut.json.tree.JsonNode;
import java.util.Map;

/** All the routes of a resource: those that read it, and those that create, change and delete. */
public abstract class ResourceRoutes<R> extends ChangeRoutes<R> {
    protected ResourceRoutes(Resources<R> resources) {
        super(resources);
    }

    @Post
    @Status(HttpStatus.CREATED)
    @NeedsTo(Action.CREATE)
    public HttpResponse<R> create(Caller caller, @Body @As JsonNode body) {
        return resources.create(caller, body, Map.of());
    }
}
