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
 * The API key that authenticates a request, and its store. The key may come from a cache; then {@link #store()}, or the
 * first statement in the store, verifies that it has not changed since.
 */
public final class Caller {
    private final StoreId store;
    private final String keyId;
    private final boolean fullAccess;
    private final Set<Permission> permissions;
    private final Supplier<Caller> reload;
    private final AtomicReference<@Nullable String> cachedVersion;
    private final String origin;
    private final boolean needsLatest;
    private final AtomicReference<@Nullable IdempotencyClaim> claim = new AtomicReference<>();

    /**
     * Creates a caller whose key was read for this request. {@code reload} reads the key again, and throws if it is no
     * longer valid.
     *
     * @param origin origin of the request for the audit log: its address, if known, a space and its id
     */
    public Caller(
            StoreId store,
            String keyId,
            boolean fullAccess,
            Set<Permission> permissions,
            String origin,
            Supplier<Caller> reload) {
        this(store, keyId, fullAccess, permissions, origin, false, null, reload);
    }

    /** Creates a caller without a key, for work of the system. */
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
            boolean needsLatest,
            @Nullable String cachedVersion,
            Supplier<Caller> reload) {
        this.store = store;
        this.keyId = keyId;
        this.fullAccess = fullAccess;
        this.permissions = permissions;
        this.origin = origin;
        this.needsLatest = needsLatest;
        this.cachedVersion = new AtomicReference<>(cachedVersion);
        this.reload = reload;
    }

    /** Returns this caller with a key cached in this version. */
    public Caller withCachedVersion(String version) {
        return new Caller(store, keyId, fullAccess, permissions, origin, needsLatest, version, reload);
    }

    /** Returns this caller of a request whose lists must contain all changes. */
    public Caller withLatest() {
        return new Caller(store, keyId, fullAccess, permissions, origin, true, cachedVersion.get(), reload);
    }

    /** Whether lists must contain all changes, so that no read replica may answer. */
    public boolean needsLatest() {
        return needsLatest;
    }

    /** Returns the store, after verifying a cached key. */
    public StoreId store() {
        if (cachedVersion().isPresent()) {
            Caller now = reload.get();
            if (!now.store.equals(store) || now.fullAccess != fullAccess || !now.permissions.equals(permissions)) {
                throw new ProblemException(
                        new Problem.Unavailable("the key was just changed; retry", Duration.ofSeconds(1)));
            }
            markVerified();
        }
        return store;
    }

    /** Returns the caller with its current key, for requests that last long. */
    public Caller reload() {
        return reload.get();
    }

    /** Returns the store without verifying a cached key; only for statements that verify the key themselves. */
    public StoreId unverifiedStore() {
        return store;
    }

    /** Returns the version of a cached key that is not verified yet. */
    public Optional<String> cachedVersion() {
        return Optional.ofNullable(cachedVersion.get());
    }

    /** Marks a cached key as unchanged. */
    public void markVerified() {
        cachedVersion.set(null);
    }

    /** Sets the idempotency claim of the request. */
    public void claim(IdempotencyClaim claimed) {
        claim.set(claimed);
    }

    public Optional<IdempotencyClaim> claim() {
        return Optional.ofNullable(claim.get());
    }

    /** Returns the origin of the request: its address, if known, a space and its id. */
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

    /** Whether the key has this permission and no other. */
    public boolean hasOnly(Permission permission) {
        return !fullAccess && permissions.equals(Set.of(permission));
    }

    /** Throws 403 unless the key has the permission. */
    public void requirePermission(Permission permission) {
        if (!hasPermission(permission)) {
            throw new ProblemException(
                    new Problem.Forbidden("the key lacks the permission " + permission.wireName(), permission));
        }
    }

    /** Throws 403 unless the key has one of the permissions. */
    public void requireAnyPermission(List<Permission> permissions) {
        if (permissions.stream().noneMatch(this::hasPermission)) {
            requirePermission(permissions.getFirst());
        }
    }
}
