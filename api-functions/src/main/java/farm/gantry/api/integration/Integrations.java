package farm.gantry.api.integration;

import farm.gantry.Permission;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Secrets;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.json.RawJson;
import farm.gantry.api.resource.JsonResponses;
import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.ResourceRoutes;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.api.webhook.WebhookSignature;
import farm.gantry.integration.Integration;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import io.micronaut.json.tree.JsonNode;
import java.util.Map;

/** Integrations with external services. Deleting one deletes its keys and releases its printers and profiles. */
@Controller("/v1/integrations")
final class Integrations extends ResourceRoutes<Integration> {
    private static final int ROTATION_HOURS = 24;

    private final Secrets secrets;
    private final Database database;
    private final IntegrationRows rows;

    Integrations(ResourceFactory factory, Secrets secrets, Database database, IntegrationRows rows) {
        super(factory.of(Integration.class, "integration"));
        this.secrets = secrets;
        this.database = database;
        this.rows = rows;
    }

    /** Creates an integration. Only this response contains the secret with which the service signs its requests. */
    @Override
    public HttpResponse<Integration> create(Caller caller, JsonNode body) {
        String secret = WebhookSignature.newSecret();
        Integration integration = resources.parseNew(caller.store(), body, Map.of("secret", secrets.seal(secret)));
        return JsonResponses.created(withClearSecret(database.in(caller, tx -> resources.create(tx, caller, integration)), secret));
    }

    /** Returns the response with the secret in clear text, which cannot be read again. */
    private static RawJson<Integration> withClearSecret(RawJson<Integration> redacted, String secret) {
        String member = "\"secret\":\"";
        return RawJson.of(redacted.text().replace(member + "redacted", member + secret));
    }

    /**
     * Replaces the secret of an integration. Only this response contains the new secret. The previous one stays valid
     * for 24 hours, older ones end at once; rotating twice therefore ends both.
     */
    @Post("/{id}/rotate-secret")
    @Status(HttpStatus.CREATED)
    @RequiresPermission(Permission.INTEGRATION_MANAGE)
    HttpResponse<Integration> rotateSecret(Caller caller, String id) {
        Resources.parseId(id);
        String secret = WebhookSignature.newSecret();
        return JsonResponses.created(database.in(caller, tx -> {
            rows.rotate(tx.store().value(), id, secrets.seal(secret), ROTATION_HOURS);
            return withClearSecret(
                    resources
                            .table()
                            .get(tx, id, resources.table().secretVisibility(caller))
                            .orElseThrow(() -> ProblemException.notFound("integration")),
                    secret);
        }));
    }
}
