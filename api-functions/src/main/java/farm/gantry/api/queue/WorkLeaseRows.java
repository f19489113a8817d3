package farm.gantry.api.queue;

import farm.gantry.api.database.Database;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.time.Duration;

/** Stores which of the processes on the database does their shared background work, and until when. */
@Singleton
@Requires(property = Database.SHARED, value = "true")
final class WorkLeaseRows {
    private final Database database;

    WorkLeaseRows(Database database) {
        this.database = database;
    }

    /** Takes or renews the lease; returns false while another process has it. */
    boolean acquire(String holder, Duration time) {
        return !database.texts("""
                insert into farm."workLease" as held (id, holder, "heldUntil") values (1, ?, now() + ?::interval)
                on conflict (id) do update set holder = excluded.holder, "heldUntil" = excluded."heldUntil"
                where held.holder = excluded.holder or held."heldUntil" < now()
                returning holder""", holder, time.toString()).isEmpty();
    }

    /** Ends the holder's lease. */
    void release(String holder) {
        database.run("update farm.\"workLease\" set \"heldUntil\" = '-infinity' where holder = ?", holder);
    }
}
