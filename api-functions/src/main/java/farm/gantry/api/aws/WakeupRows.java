package farm.gantry.api.aws;

import farm.gantry.StoreId;
import farm.gantry.api.database.Database;
import jakarta.inject.Singleton;
import java.time.Instant;

/**
 * Scheduled wakeups of functions by store, so that of many functions working on one store only one schedules another.
 */
@Singleton
public final class WakeupRows {
    private final Database database;

    WakeupRows(Database database) {
        this.database = database;
    }

    /** Returns whether no earlier wakeup is scheduled; past wakeups do not count. */
    public boolean add(StoreId store, String work, Instant due) {
        return database.in(store, tx -> tx.update("""
                insert into farm.wakeup as w ("storeId", work, "dueAt") values (?, ?, ?::timestamptz)
                on conflict ("storeId", work) do update set "dueAt" = excluded."dueAt"
                where w."dueAt" <= now() or w."dueAt" > excluded."dueAt\"""", store.value(), work, due.toString()) > 0);
    }
}
