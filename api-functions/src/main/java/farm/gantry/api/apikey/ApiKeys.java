package farm.gantry.api.apikey;

import farm.gantry.Permission;
import farm.gantry.api.database.AdvisoryLock;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.http.address.AddressRange;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.resource.ChangeRoutes;
import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.apikey.ApiKey;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import java.net.InetAddress;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** API keys. A caller can grant only its own permissions, within the limits of its own key. */
@Controller("/v1/api-keys")
public final class ApiKeys extends ChangeRoutes<ApiKey> {
    private final Database database;
    private final RecordReader reader;
    private final ApiKeyIssuer issuer;

    ApiKeys(
            ResourceFactory factory,
            Tables tables,
            Database database,
            RecordReader reader,
            ApiKeyIssuer issuer,
            ApiKeyRows rows) {
        super(factory.of(ApiKey.class, "API key").followedBy((tx, before, after) -> {
            checkFullAccessKeyRemains(tx, tables.of(ApiKey.class), before, after);
            tx.afterCommit(rows::evictAll);
        }));
        this.database = database;
        this.reader = reader;
        this.issuer = issuer;
    }

    /** A new key; its text is never shown again. */
    @Serdeable
    public record CreatedKey(String id, String storeId, String name, String key) {
        static CreatedKey of(ApiKeyIssuer.IssuedKey issued) {
            ApiKey key = issued.record();
            return new CreatedKey(
                    key.id(), key.storeId(), key.name(), issued.token().toString());
        }
    }

    /** Creates an API key. Only this response contains its text. The caller must hold the permissions of the key. */
    @Post
    @Status(HttpStatus.CREATED)
    @RequiresPermission(Permission.API_KEY_CREATE)
    CreatedKey create(Caller caller, @Body @BodyType(ApiKey.class) JsonNode body) {
        return database.in(
                caller, tx -> CreatedKey.of(issuer.issue(tx, body, caller, Map.of("createdBy", caller.keyId()))));
    }

    /** Creates the owner's key of the transaction's new store, with full access. */
    public CreatedKey createOwner(Tx tx) {
        return createForOperator(tx, Map.of("name", "owner", "fullAccess", true));
    }

    /** Creates a key on behalf of the operator, without a granting caller. */
    public CreatedKey createForOperator(Tx tx, Map<String, ?> body) {
        return CreatedKey.of(issuer.issueUnlimited(tx, reader.toTree(body)));
    }

    /** Returns the permissions of an API key. */
    @Get("/{id}/permissions")
    @RequiresPermission(Permission.API_KEY_VIEW)
    List<String> permissions(Caller caller, String id) {
        ApiKey key = resources.find(caller, id);
        return key.fullAccess()
                ? Arrays.stream(Permission.values()).map(Permission::wireName).toList()
                : List.copyOf(new TreeSet<>(key.permissions()));
    }

    /**
     * A caller must hold the key's permissions before and after the change; an integration's key cannot be changed by
     * hand.
     */
    @Override
    protected Resources.ChangeRule<ApiKey> rule(Caller caller, @Nullable JsonNode update) {
        return (tx, kept, changed) -> {
            if (kept.managed()) {
                throw ProblemException.conflict(
                        "the key is managed by its integration; delete it or create another one there");
            }
            ApiKeyIssuer.checkGrant(caller, kept);
            ApiKeyIssuer.checkGrant(caller, changed);
            ApiKeyLimits.checkChange(issuer.findCallerKey(tx, caller), kept, changed);
            checkNotLockedOut(caller, changed);
            return changed;
        };
    }

    /** Rejects a change by which a key would lock itself out irreversibly. */
    private static void checkNotLockedOut(Caller caller, ApiKey changed) {
        String address = caller.origin().split(" ", 2)[0];
        if (caller.keyId().equals(changed.id())
                && changed.ipAllowlist() != null
                && !address.isEmpty()
                && !AddressRange.isIn(changed.ipAllowlist(), InetAddress.ofLiteral(address))) {
            throw ProblemException.invalid(
                    "ipAllowlist",
                    "invalid",
                    "ipAllowlist must contain the address " + address
                            + ", the address of this request; otherwise the key would lock itself out");
        }
    }

    @Override
    protected void permitDeletion(Caller caller, ApiKey key) {
        ApiKeyIssuer.checkGrant(caller, key);
    }

    /** Keeps one usable key with full access, because a store without one could never get one again. */
    private static void checkFullAccessKeyRemains(Tx tx, Table<ApiKey> keys, List<ApiKey> before, List<ApiKey> after) {
        if (before.stream().noneMatch(ApiKeys::isUsableWithFullAccess)
                || after.stream().anyMatch(ApiKeys::isUsableWithFullAccess)) {
            return;
        }
        tx.lockExclusive(AdvisoryLock.OWNER_KEY);
        boolean another =
                keys.find(tx, ListQuery.all(keys.columns())).stream().anyMatch(ApiKeys::isUsableWithFullAccess);
        if (!another) {
            throw ProblemException.conflict(
                    "it is the store's last usable key with full access; create another one first");
        }
    }

    private static boolean isUsableWithFullAccess(ApiKey key) {
        return key.fullAccess()
                && key.active()
                && !key.managed()
                && (key.expiresAt() == null || key.expiresAt().isAfter(Instant.now()));
    }
}
