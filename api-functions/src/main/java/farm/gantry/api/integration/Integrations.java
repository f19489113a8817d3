package farm.gantry.api.integration;

import farm.gantry.Id;
import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.ResourceRoutes;
import farm.gantry.api.security.Caller;
import farm.gantry.api.store.Database;
import farm.gantry.api.store.Secrets;
import farm.gantry.integration.Integration;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.json.tree.JsonNode;
import java.util.Map;

/** The services outside; one that leaves takes its keys along and lets go of its printers and profiles. */
@Controller("/v1/integrations")
final class Integrations extends ResourceRoutes<Integration> {
    /** Letters and digits of a secret: 248 bits. */
    private static final int SECRET = 48;

    private final Secrets secrets;
    private final Database database;

    Integrations(ResourceFactory factory, Secrets secrets, Database database) {
        super(factory.of(Integration.class, "integration"));
        this.secrets = secrets;
        this.database = database;
    }

    /** The one answer that shows the secret, by which the service signs what it sends. */
    @Override
    public HttpResponse<Integration> create(Caller caller, JsonNode body) {
        String secret = Id.random(SECRET);
        Integration integration = resources.record(caller.store(), body, Map.of("secret", secrets.seal(secret)));
        database.in(caller.store(), tx -> resources.create(tx, caller, integration));
        return HttpResponse.created(integration.showing(secret));
    }
}
