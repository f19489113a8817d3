package farm.gantry.api.security;

import farm.gantry.Permission;
import farm.gantry.StoreId;
import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The API key that a request is made with, and the one store it opens. The key may come from a cache; the first statement
 * in the store then verifies that it has not changed since, or {@link #store()} does.
 */
public final class Caller {
    private final StoreId store;
    private final String keyId;
    private final boolean fullAccess;
    private final Set<Permission> permissions;
    private final Supplier<Caller> reload;
    private final AtomicReference<@Nullable String> cachedVersion;
    private final String origin;
    private final AtomicReference<@Nullable IdempotencyClaim> claim = new AtomicReference<>();

    /**
     * A caller whose key was read for this request; {@code reload} reads it again, or fails as the key check does.
     *
     * @param origin where the request comes from, for the audit log: its address, if known, a space and its id
     */
    public Caller(
            StoreId store,
            String keyId,
            boolean fullAccess,
            Set<Permission> permissions,
            String origin,
            Supplier<Caller> reload) {
        this(store, keyId, fullAccess, permissions, origin, null, reload);
    }

    /** A caller that has no key of its own. */
    public Caller(StoreId store, String keyId, boolean fullAccess, Set<Permission> permissions) {
        this(store, keyId, fullAccess, permissions, " ", () -> {
            throw new IllegalStateException("there is no key to read");
        });
    }

    private Caller(
            StoreId store,
            String keyId,
            boolean fullAccess,
            Set<Permission> permissions,
            String origin,
            @Nullable String cachedVersion,
            Supplier<Caller> reload) {
        this.store = store;
        this.keyId = keyId;
        this.fullAccess = fullAccess;
        this.permissions = permissions;
        this.origin = origin;
        this.cachedVersion = new AtomicReference<>(cachedVersion);
        this.reload = reload;
    }

    /** Returns this caller with a key cached in this version. */
    public Caller withCachedVersion(String version) {
        return new Caller(store, keyId, fullAccess, permissions, origin, version, reload);
    }

    /** The store; a cached key is verified first. */
    public StoreId store() {
        if (cachedVersion().isPresent()) {
            Caller now = reload.get();
            if (!now.store.equals(store) || now.fullAccess != fullAccess || !now.permissions.equals(permissions)) {
                throw new ProblemException(
                        new Problem.Unavailable("the key was changed just now: ask again", Duration.ofSeconds(1)));
            }
            markVerified();
        }
        return store;
    }

    /** The caller by its key as it is now, for requests that last. */
    public Caller reload() {
        return reload.get();
    }

    /** The store of a key that may have changed: only for statements that verify the key themselves. */
    public StoreId unverifiedStore() {
        return store;
    }

    /** The version of a cached key that is not verified yet. */
    public Optional<String> cachedVersion() {
        return Optional.ofNullable(cachedVersion.get());
    }

    /** Notes that the key has not changed since it was cached. */
    public void markVerified() {
        cachedVersion.set(null);
    }

    /** Notes the claim under which the request works. */
    public void claim(IdempotencyClaim claimed) {
        claim.set(claimed);
    }

    public Optional<IdempotencyClaim> claim() {
        return Optional.ofNullable(claim.get());
    }

    /** Where the request comes from: its address, if known, a space and its id. */
    public String origin() {
        return origin;
    }

    public String keyId() {
        return keyId;
    }

    public boolean fullAccess() {
        return fullAccess;
    }

    public boolean hasPermission(Permission permission) {
        return fullAccess || permissions.contains(permission);
    }

    /** Whether that is all that the key may do. */
    public boolean hasOnly(Permission permission) {
        return !fullAccess && permissions.equals(Set.of(permission));
    }

    /** Refuses the request unless the key holds the permission. */
    public void requirePermission(Permission permission) {
        if (!hasPermission(permission)) {
            throw new ProblemException(
                    new Problem.Forbidden("the key lacks the permission " + permission.wireName(), permission));
        }
    }

    /** Refuses the request unless the key holds one of the permissions. */
    public void requireAnyPermission(List<Permission> permissions) {
        if (permissions.stream().noneMatch(this::hasPermission)) {
            requirePermission(permissions.getFirst());
        }
    }
}
