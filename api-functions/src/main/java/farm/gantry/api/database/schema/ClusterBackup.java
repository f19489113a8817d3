package farm.gantry.api.database.schema;

import farm.gantry.api.database.DatabaseException;
import farm.gantry.api.file.FileReferenceRows;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * A backup of a running PostgreSQL that copies its data directory. The copy becomes consistent by replaying the
 * write-ahead log of the time between begin and end. Until closed, it retains that log and prevents the deletion of
 * files.
 */
public final class ClusterBackup implements AutoCloseable {
    private final Connection connection;
    private final String firstLog;

    private ClusterBackup(Connection connection, String firstLog) {
        this.connection = connection;
        this.firstLog = firstLog;
    }

    /**
     * The write-ahead log of the copy: its {@code backup_label}, and the first and last file names in {@code pg_wal}.
     */
    public record WriteAheadLog(String label, String first, String last) {
        public boolean holds(String name) {
            return name.length() == first.length() && name.compareTo(first) >= 0 && name.compareTo(last) <= 0;
        }
    }

    /** Begins a backup; the URL is that of the role that owns the database. */
    public static ClusterBackup begin(String ownerUrl) {
        try {
            Connection connection = DriverManager.getConnection(ownerUrl);
            try {
                queryRow(connection, "select pg_advisory_lock(hashtextextended('" + FileReferenceRows.BACKUP_LOCK + "', 0))", 1);
                String keepsLog =
                        "select pg_create_physical_replication_slot('backup_' || pg_backend_pid(), true, true)";
                queryRow(connection, keepsLog, 1);
                return new ClusterBackup(
                        connection, queryRow(connection, "select pg_walfile_name(pg_backup_start('backup', true))", 1)[0]);
            } catch (SQLException e) {
                connection.close();
                throw e;
            }
        } catch (SQLException e) {
            throw new DatabaseException(e);
        }
    }

    /** Ends the backup. */
    public WriteAheadLog finish() {
        try {
            String[] ended = queryRow(connection, "select labelfile, pg_walfile_name(lsn) from pg_backup_stop(false)", 2);
            return new WriteAheadLog(ended[0], firstLog, ended[1]);
        } catch (SQLException e) {
            throw new DatabaseException(e);
        }
    }

    /** Throws if the lock that prevents the deletion of files was lost with its connection. */
    public void checkHeld() {
        try {
            queryRow(connection, "select 1", 1);
        } catch (SQLException e) {
            throw new DatabaseException(e);
        }
    }

    private static String[] queryRow(Connection connection, String sql, int columns) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql);
                ResultSet row = statement.executeQuery()) {
            row.next();
            String[] texts = new String[columns];
            for (int i = 0; i < columns; i++) {
                texts[i] = row.getString(i + 1);
            }
            return texts;
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new DatabaseException(e);
        }
    }
}
