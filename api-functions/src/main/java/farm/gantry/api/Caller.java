package farm.gantry.api;

import farm.gantry.Permission;
import farm.gantry.StoreId;
import java.util.List;
import java.util.Set;

/** Who asks: a checked key of one store. All data is reached through {@link #store()}. */
public record Caller(StoreId store, String keyId, boolean fullAccess, Set<Permission> permissions) {

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
