package farm.gantry.api.apikey;

import farm.gantry.Id;
import farm.gantry.Permission;
import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.security.Caller;
import farm.gantry.api.store.Secrets;
import farm.gantry.api.store.Tx;
import farm.gantry.apikey.ApiKey;
import farm.gantry.apikey.KeyText;
import io.micronaut.json.tree.JsonNode;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.Map;

/** Makes keys; whoever asks for one grants only what it holds itself. */
@Singleton
final class KeyIssuer {
    private final Resources<ApiKey> keys;
    private final Pepper pepper;

    KeyIssuer(ResourceFactory factory, Pepper pepper) {
        this.keys = factory.of(ApiKey.class, "API key");
        this.pepper = pepper;
    }

    /** {@code origin} holds the components that say where the key comes from. */
    ApiKeys.Created issue(Tx tx, JsonNode body, Caller granter, Map<String, ?> origin) {
        String id = Id.next();
        KeyText key = KeyText.next(id);
        String salt = Id.random(24);
        Map<String, Object> system = new HashMap<>(origin);
        system.putAll(Map.of("id", id, "salt", salt, "hash", pepper.hash(key, salt)));
        ApiKey record = keys.record(tx.store(), body, system);
        checkGrant(granter, record);
        keys.table().insert(tx, record, Secrets.Shown.HIDDEN);
        return new ApiKeys.Created(id, tx.store().value(), record.name(), key.toString());
    }

    static void checkGrant(Caller granter, ApiKey key) {
        if (key.fullAccess() && !granter.fullAccess()) {
            throw new ProblemException(
                    new Problem.Forbidden("only a key with full access can grant full access", null));
        }
        key.permissions().stream().flatMap(name -> Permission.of(name).stream()).forEach(granter::requirePermission);
    }
}
