package farm.gantry.api.database.schema;

import farm.gantry.api.database.Database;
import farm.gantry.api.database.DatabaseException;
import farm.gantry.api.database.Tx;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Marks a database that was restored from a backup, which does not know what was printed since: every bed must be
 * confirmed, and queues stay paused until a person has reviewed the jobs that were at printers; otherwise they would
 * print again. Positions of event streams expire, because some may be later than the backup.
 */
public final class RestoredDatabase {
    private static final String PAUSE = """
            update farm.store set "queuePausedAt" = coalesce("queuePausedAt", date_trunc('milliseconds', now())),
              "queuePausedReason" = coalesce("queuePausedReason",
                'The database was restored: look at the beds, and cancel jobs that are printed already.')""";
    private static final String STOP_CLEARING = "delete from farm.\"bedClearing\"";
    private static final String MARK_BEDS_UNCONFIRMED = """
            update farm.printer set "confirmedReady" = false, "bedClear" = false, "bedUnverified" = false,
              "bedPrintCounter" = null, "continuousPrint" = false, "updatedAt" = now()""";
    private static final String BEGIN_EPOCH = "select farm.begin_stream_epoch(true)";
    private static final String OF_STORE = " where \"storeId\" = ?";

    private RestoredDatabase() {}

    /** Marks all stores; the URL is that of the database's owner. */
    public static void markRestored(String ownerUrl) {
        try (Connection connection = DriverManager.getConnection(ownerUrl);
                Statement statement = connection.createStatement()) {
            statement.execute(String.join(";", PAUSE, STOP_CLEARING, MARK_BEDS_UNCONFIRMED, BEGIN_EPOCH));
        } catch (SQLException e) {
            throw new DatabaseException(e);
        }
    }

    /** Lets the positions of all event streams expire. */
    public static void expireStreamPositions(Database database) {
        database.run(BEGIN_EPOCH);
    }

    /** Marks the store; returns its number of printers. */
    public static int markRestored(Tx tx) {
        String store = tx.store().value();
        tx.update(PAUSE + OF_STORE, store);
        tx.update(STOP_CLEARING + OF_STORE, store);
        return tx.update(MARK_BEDS_UNCONFIRMED + OF_STORE, store);
    }
}
