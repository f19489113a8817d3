package farm.gantry.api;

import farm.gantry.Permission;
import farm.gantry.StoreId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Who asks: a key of one store. What is known of the key may be remembered from an earlier request; the statement that
 * enters its store then looks whether that still holds, and without one {@link #store()} does.
 */
public final class Caller {
    private final StoreId store;
    private final String keyId;
    private final boolean fullAccess;
    private final Set<Permission> permissions;
    private final Supplier<Caller> anew;
    private final AtomicReference<@Nullable String> remembered;

    /** A caller whose key was read for this request; {@code anew} reads it again, or refuses the request. */
    public Caller(StoreId store, String keyId, boolean fullAccess, Set<Permission> permissions, Supplier<Caller> anew) {
        this(store, keyId, fullAccess, permissions, null, anew);
    }

    /** A caller that has no key of its own. */
    public Caller(StoreId store, String keyId, boolean fullAccess, Set<Permission> permissions) {
        this(store, keyId, fullAccess, permissions, () -> {
            throw new IllegalStateException("there is no key to read");
        });
    }

    private Caller(
            StoreId store,
            String keyId,
            boolean fullAccess,
            Set<Permission> permissions,
            @Nullable String remembered,
            Supplier<Caller> anew) {
        this.store = store;
        this.keyId = keyId;
        this.fullAccess = fullAccess;
        this.permissions = permissions;
        this.remembered = new AtomicReference<>(remembered);
        this.anew = anew;
    }

    /** The same, of a key remembered in this version. */
    public Caller remembered(String version) {
        return new Caller(store, keyId, fullAccess, permissions, version, anew);
    }

    /** The store, whose key is surely valid. */
    public StoreId store() {
        if (remembered().isPresent()) {
            Caller now = anew.get();
            if (!now.store.equals(store) || now.fullAccess != fullAccess || !now.permissions.equals(permissions)) {
                throw new Refused(
                        new Problem.Unavailable("the key was changed just now: ask again", Duration.ofSeconds(1)));
            }
            confirmed();
        }
        return store;
    }

    /** The caller as its key, read once more, now makes it: for a request that goes on for long. */
    public Caller anew() {
        return anew.get();
    }

    /** The store of a key that may be valid no longer: for what reaches the store's rows only by confirming it. */
    public StoreId rememberedStore() {
        return store;
    }

    /** The version of the key that is yet to be looked at again. */
    public Optional<String> remembered() {
        return Optional.ofNullable(remembered.get());
    }

    /** The key is still what it was. */
    public void confirmed() {
        remembered.set(null);
    }

    public String keyId() {
        return keyId;
    }

    public boolean fullAccess() {
        return fullAccess;
    }

    public boolean holds(Permission permission) {
        return fullAccess || permissions.contains(permission);
    }

    /** Refuses the request unless the key holds the permission. */
    public void needs(Permission permission) {
        if (!holds(permission)) {
            throw new Refused(new Problem.Forbidden("the key lacks the permission " + permission.wire(), permission));
        }
    }

    /** The same, where any of the permissions will do. */
    public void needsOneOf(List<Permission> permissions) {
        if (permissions.stream().noneMatch(this::holds)) {
            needs(permissions.getFirst());
        }
    }
}
