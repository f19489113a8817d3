package farm.gantry.api.apikey;

import farm.gantry.Id;
import farm.gantry.Permission;
import farm.gantry.api.database.Secrets;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.security.Caller;
import farm.gantry.apikey.ApiKey;
import farm.gantry.apikey.SecretToken;
import io.micronaut.json.tree.JsonNode;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Creates keys. A caller can grant only its own permissions. */
@Singleton
final class ApiKeyIssuer {
    private final Resources<ApiKey> keys;
    private final Pepper pepper;
    private final RecordReader reader;

    ApiKeyIssuer(ResourceFactory factory, Pepper pepper, RecordReader reader) {
        this.reader = reader;
        this.keys = factory.of(ApiKey.class, "API key");
        this.pepper = pepper;
    }

    /** A new key: its record, and its secret text, which is not stored. */
    record IssuedKey(ApiKey record, SecretToken token) {}

    /** Creates a key within the granter's limits; {@code origin} holds the components that state the key's origin. */
    IssuedKey issue(Tx tx, JsonNode body, Caller granter, Map<String, ?> origin) {
        ProblemException.throwUnlessObject(body);
        ApiKey own = findCallerKey(tx, granter);
        return insert(tx, ApiKeyLimits.withInheritedLimits(body, own, reader), origin, record -> {
            checkGrant(granter, record);
            ApiKeyLimits.check(own, record);
        });
    }

    /** Creates a key without a granting key, for the operator. */
    IssuedKey issueUnlimited(Tx tx, JsonNode body) {
        return insert(tx, body, Map.of(), _ -> {});
    }

    /** Returns the key of the request. */
    ApiKey findCallerKey(Tx tx, Caller caller) {
        return keys.table()
                .find(tx, caller.keyId())
                .orElseThrow(() -> new ProblemException(new Problem.Unauthorized(Problem.Scheme.ApiKey)));
    }

    private IssuedKey insert(Tx tx, JsonNode body, Map<String, ?> origin, Consumer<ApiKey> check) {
        String id = Id.next();
        SecretToken key = SecretToken.generate(id);
        String salt = Id.random(24);
        Map<String, Object> system = new HashMap<>(origin);
        system.putAll(Map.of("id", id, "salt", salt, "hash", pepper.hash(key, salt)));
        ApiKey record = keys.parseNew(tx.store(), body, system);
        check.accept(record);
        keys.table().insert(tx, record, Secrets.Visibility.HIDDEN);
        return new IssuedKey(record, key);
    }

    static void checkGrant(Caller granter, ApiKey key) {
        if (key.fullAccess() && !granter.fullAccess()) {
            throw new ProblemException(
                    new Problem.Forbidden("only a key with full access can grant full access", null));
        }
        key.permissions().stream()
                .flatMap(name -> Permission.parse(name).stream())
                .forEach(granter::requirePermission);
    }
}
