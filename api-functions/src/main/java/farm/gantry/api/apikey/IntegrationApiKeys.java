package farm.gantry.api.apikey;

import farm.gantry.Permission;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.apikey.ApiKey;
import farm.gantry.integration.Integration;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import io.micronaut.json.tree.JsonNode;
import java.util.Map;

/** Keys of integrations. An integration creates its keys, which are deleted with it and cannot be changed by hand. */
@Controller("/v1/integrations/{id}/api-keys")
@Blocking
final class IntegrationApiKeys {
    private final ApiKeyIssuer issuer;
    private final Table<Integration> integrations;
    private final Database database;
    private final RecordReader reader;

    IntegrationApiKeys(ApiKeyIssuer issuer, Tables tables, Database database, RecordReader reader) {
        this.issuer = issuer;
        this.integrations = tables.of(Integration.class);
        this.database = database;
        this.reader = reader;
    }

    /**
     * Creates an API key for an integration. Only this response contains the text of the key. The caller must hold the
     * permissions of the key.
     */
    @Post
    @Status(HttpStatus.CREATED)
    @RequiresPermission({Permission.INTEGRATION_MANAGE, Permission.API_KEY_CREATE})
    ApiKeys.CreatedKey create(Caller caller, String id, @Body @BodyType(ApiKey.class) JsonNode body) {
        Resources.parseId(id);
        return database.in(caller, tx -> {
            Integration integration =
                    integrations.find(tx, id).orElseThrow(() -> ProblemException.notFound("integration"));
            return ApiKeys.CreatedKey.of(issuer.issue(
                    tx,
                    body,
                    caller,
                    Map.of(
                            "createdBy",
                            caller.keyId(),
                            "managed",
                            true,
                            "managedBy",
                            reader.toTree(integration.type()).getStringValue(),
                            "integrationId",
                            id)));
        });
    }
}
