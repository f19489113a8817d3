package farm.gantry.api.database;

import farm.gantry.StoreId;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.IdempotencyClaim;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The first statement of every transaction, which selects the store. It fails if the store was moved to another
 * installation, or if the caller's key was cached and has changed since.
 */
record TenantSession(
        StoreId store, SqlStatement statement, @Nullable Caller caller) {
    /** Enters a store without a key. */
    static final String OPEN = "select farm.open_store(?)";

    private static final String OPEN_MOVED =
            "set transaction isolation level repeatable read; select set_config('gantry.store', ?, true)";

    private static final String KEY_CHANGED = "GK001";

    /** The cached key has changed. */
    static final class KeyChangedException extends RuntimeException {
        KeyChangedException(SQLException cause) {
            super(cause);
        }
    }

    static TenantSession of(StoreId store) {
        return new TenantSession(store, new SqlStatement(OPEN, List.of(store.value())), null);
    }

    /** Returns a session of a store that may be moved, which all other sessions cannot enter, as of one point in time. */
    static TenantSession ofMoved(StoreId store) {
        return new TenantSession(store, new SqlStatement(OPEN_MOVED, List.of(store.value())), null);
    }

    static TenantSession of(Caller caller) {
        String version = caller.cachedVersion().orElse("");
        StoreId store = version.isEmpty() ? caller.store() : caller.unverifiedStore();
        return new TenantSession(
                store,
                new SqlStatement(
                        "select farm.enter(?, ?, ?, ?)",
                        List.of(store.value(), caller.keyId(), version, caller.origin())),
                caller);
    }

    /** The session of a read replica, after the primary has verified the caller's key. */
    static TenantSession ofReplica(StoreId store, String requiredMark) {
        return new TenantSession(
                store,
                new SqlStatement("select farm.enter_replica(?, ?::timestamptz)", List.of(store.value(), requiredMark)),
                null);
    }

    void onEntered() {
        if (caller != null) {
            caller.markVerified();
        }
    }

    /** The idempotency claim under which the request works. */
    Optional<IdempotencyClaim> claim() {
        return caller == null ? Optional.empty() : caller.claim();
    }

    RuntimeException toException(SQLException cause) {
        return KEY_CHANGED.equals(cause.getSQLState()) ? new KeyChangedException(cause) : DatabaseException.of(cause);
    }
}
