package farm.gantry.api.resource;

import farm.gantry.Permission.Action;
import farm.gantry.api.error.Faults;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.http.IfMatch;
import farm.gantry.api.query.BulkPatch;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresAction;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Patch;
import io.micronaut.json.tree.JsonNode;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Routes to read, change and delete records, for resources with their own way of creating them. */
public abstract class ChangeRoutes<R> extends ReadRoutes<R> {
    protected ChangeRoutes(Resources<R> resources) {
        super(resources);
    }

    /** Returns the rule for changes of a record; {@code update} holds the fields to change, if it is an object. */
    protected Resources.ChangeRule<R> rule(Caller caller, @Nullable JsonNode update) {
        return (_, _, changed) -> changed;
    }

    /** Throws if the caller may not delete the record. */
    protected void permitDeletion(Caller caller, R record) {}

    @Patch("/{id}")
    @RequiresAction(Action.EDIT)
    public HttpResponse<R> patch(Caller caller, String id, IfMatch ifMatch, @Body @BodyType JsonNode body) {
        return resources.patch(caller, id, ifMatch, body, rule(caller, body));
    }

    @Patch
    @RequiresAction(Action.EDIT)
    public HttpResponse<List<R>> patchAll(Caller caller, @Body @BodyType(BulkPatch.class) JsonNode body) {
        Faults faults = new Faults();
        Optional<Resources.ChangeRule<R>> rule =
                faults.read(Resources.UPDATE, () -> rule(caller, body.get(Resources.UPDATE)));
        faults.check();
        return resources.patchAll(caller, body, rule.orElseThrow());
    }

    @Delete
    @RequiresAction(Action.DELETE)
    public HttpResponse<List<String>> deleteAll(Caller caller, @Body @BodyType(String[].class) JsonNode body) {
        return resources.deleteAll(caller, body, record -> permitDeletion(caller, record));
    }

    @Delete("/{id}")
    @RequiresAction(Action.DELETE)
    public HttpResponse<List<String>> delete(Caller caller, String id, IfMatch ifMatch) {
        return resources.delete(caller, id, ifMatch, record -> permitDeletion(caller, record));
    }
}
