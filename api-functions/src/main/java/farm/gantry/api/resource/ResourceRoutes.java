package farm.gantry.api.resource;

import farm.gantry.Permission.Action;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresAction;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import io.micronaut.json.tree.JsonNode;
import java.util.Map;

/** All routes of a resource: read, create, change and delete. */
public abstract class ResourceRoutes<R> extends ChangeRoutes<R> {
    protected ResourceRoutes(Resources<R> resources) {
        super(resources);
    }

    @Post
    @Status(HttpStatus.CREATED)
    @RequiresAction(Action.CREATE)
    public HttpResponse<R> create(Caller caller, @Body @BodyType JsonNode body) {
        return resources.create(caller, body, Map.of());
    }
}
