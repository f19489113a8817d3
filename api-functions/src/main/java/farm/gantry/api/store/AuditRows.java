package farm.gantry.api.store;

import jakarta.inject.Singleton;
import java.time.Instant;

/** The audit log of all stores. */
@Singleton
public final class AuditRows {
    private static final int AT_ONCE = 10_000;

    private final Database database;

    AuditRows(Database database) {
        this.database = database;
    }

    /** Deletes what was noted before, many short transactions if need be. */
    public void forget(Instant before) {
        int deleted = AT_ONCE;
        while (deleted == AT_ONCE) {
            deleted = database.query(
                    "select farm.forget_audit_log(?::timestamptz, ?)",
                    rows -> rows.next() ? rows.getInt(1) : 0,
                    before.toString(),
                    AT_ONCE);
        }
    }
}
