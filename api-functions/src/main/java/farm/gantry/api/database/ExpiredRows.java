package farm.gantry.api.database;

import jakarta.inject.Singleton;
import java.time.Instant;

/** Deletes rows past their retention, of all stores, in short transactions. */
@Singleton
public final class ExpiredRows {
    private static final int BATCH = 5_000;

    private final Database database;

    ExpiredRows(Database database) {
        this.database = database;
    }

    /** Deletes the rows of a table, which the function of the database must know, that are older than the time. */
    public void delete(String table, Instant before) {
        int deleted = BATCH;
        while (deleted == BATCH) {
            deleted = database.query(
                    "select farm.delete_expired(?, ?::timestamptz, ?)",
                    rows -> rows.next() ? rows.getInt(1) : 0,
                    table,
                    before.toString(),
                    BATCH);
        }
    }
}
