package farm.gantry.api.integration;

import farm.gantry.Id;
import farm.gantry.Permission;
import farm.gantry.api.As;
import farm.gantry.api.Caller;
import farm.gantry.api.Needs;
import farm.gantry.api.query.BulkPatch;
import farm.gantry.api.query.Search;
import farm.gantry.api.query.SearchResponse;
import farm.gantry.api.store.Database;
import farm.gantry.api.store.Resources;
import farm.gantry.api.store.Secrets;
import farm.gantry.api.store.Tables;
import farm.gantry.integration.Integration;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Patch;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.util.List;
import java.util.Map;

/** The services outside; one that leaves takes its keys along and lets go of its printers and profiles. */
@Controller("/v1/integrations")
@ExecuteOn(TaskExecutors.BLOCKING)
final class Integrations {
    /** Letters and digits of a secret: 248 bits. */
    private static final int SECRET = 48;

    private final Resources<Integration> integrations;
    private final Secrets secrets;
    private final Database database;

    Integrations(Tables tables, Secrets secrets, Database database) {
        this.integrations = tables.resource(Integration.class, "integration");
        this.secrets = secrets;
        this.database = database;
    }

    @Get
    @Needs(Permission.INTEGRATION_VIEW)
    HttpResponse<List<Integration>> list(Caller caller, HttpRequest<?> request) {
        return integrations.list(caller, request);
    }

    @Post("/search")
    @Status(HttpStatus.CREATED)
    @Needs(Permission.INTEGRATION_VIEW)
    HttpResponse<SearchResponse<Integration>> search(
            Caller caller, HttpRequest<?> request, @Body @As(Search.class) JsonNode body) {
        return integrations.search(caller, request, body);
    }

    /** The one answer that shows the secret, by which the service signs what it sends. */
    @Post
    @Status(HttpStatus.CREATED)
    @Needs(Permission.INTEGRATION_MANAGE)
    HttpResponse<Integration> create(Caller caller, @Body @As(Integration.class) JsonNode body) {
        String secret = Id.random(SECRET);
        Integration integration = integrations.record(caller.store(), body, Map.of("secret", secrets.seal(secret)));
        database.in(caller.store(), tx -> integrations.create(tx, caller, integration));
        return HttpResponse.created(integration.showing(secret));
    }

    @Get("/{id}")
    @Needs(Permission.INTEGRATION_VIEW)
    HttpResponse<Integration> get(Caller caller, String id, HttpRequest<?> request) {
        return integrations.get(caller, id, request);
    }

    @Patch("/{id}")
    @Needs(Permission.INTEGRATION_MANAGE)
    HttpResponse<Integration> patch(Caller caller, String id, @Body @As(Integration.class) JsonNode body) {
        return integrations.patch(caller, id, body);
    }

    @Patch
    @Needs(Permission.INTEGRATION_MANAGE)
    HttpResponse<List<Integration>> patchAll(Caller caller, @Body @As(BulkPatch.class) JsonNode body) {
        return integrations.patchAll(caller, body, (_, _, changed) -> changed);
    }

    @Delete
    @Needs(Permission.INTEGRATION_MANAGE)
    HttpResponse<List<String>> deleteAll(Caller caller, @Body @As(String[].class) JsonNode body) {
        return integrations.deleteAll(caller, body);
    }

    @Delete("/{id}")
    @Needs(Permission.INTEGRATION_MANAGE)
    HttpResponse<List<String>> delete(Caller caller, String id) {
        return integrations.delete(caller, id);
    }
}
