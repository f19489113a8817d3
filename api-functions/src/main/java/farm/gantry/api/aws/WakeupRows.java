package farm.gantry.api.aws;

import farm.gantry.StoreId;
import farm.gantry.api.database.Database;
import jakarta.inject.Singleton;
import java.time.Instant;

/** When functions will be woken for stores, so that of a hundred that look at one store, one has it looked at again. */
@Singleton
public final class WakeupRows {
    private final Database database;

    WakeupRows(Database database) {
        this.database = database;
    }

    /** Whether this is the first wakeup by that time: one that has come counts no more. */
    public boolean add(StoreId store, String work, Instant due) {
        return database.in(store, tx -> tx.update("""
                insert into farm.wakeup as w ("storeId", work, "dueAt") values (?, ?, ?::timestamptz)
                on conflict ("storeId", work) do update set "dueAt" = excluded."dueAt"
                where w."dueAt" <= now() or w."dueAt" > excluded."dueAt\"""", store.value(), work, due.toString()) > 0);
    }
}
