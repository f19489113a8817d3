package farm.gantry.api.stream;

import farm.gantry.RecordChanged;
import farm.gantry.StoreId;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Tx;
import farm.gantry.job.JobStatusChanged;
import farm.gantry.notification.ChannelChanged;
import jakarta.inject.Singleton;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Queries changes of printers, jobs, records and notification channels by transaction id. */
@Singleton
public final class ChangeRows {
    private static final String HORIZON = """
            select pg_snapshot_xmin(pg_current_snapshot())::text::bigint,
              epoch || coalesce((select "streamEpoch" from farm.store where "storeId" = current_setting('gantry.store', true)), ''),
              "isCurrent" from farm.stream_epoch()""";

    private static final String BEGIN_EPOCH = "select farm.begin_stream_epoch(false)";

    /**
     * The oldest transaction in progress; all earlier ones are visible. Transaction ids are comparable within an {@code epoch}: a new one
     * begins when the database was restored, or it or the store was moved to another cluster, which has its own numbers.
     */
    public record Horizon(long transaction, String epoch) {
        /** Returns an earlier transaction of the same epoch. */
        Horizon at(long earlier) {
            return new Horizon(earlier, epoch);
        }
    }

    private final Database database;

    /** A status change of a job; {@code number} orders the changes within a transaction. */
    public record JobStatusChange(long transaction, long number, JobStatusChanged moved) {}

    /**
     * A change of a record; numbered together with the status changes of jobs. {@code fields} are the columns that an
     * update changed, if the farm publishes to a broker.
     */
    public record RecordChange(long transaction, long number, RecordChanged changed, List<String> fields) {}

    /** The transaction that last changed a notification channel, and the change. */
    public record ChannelChange(long transaction, ChannelChanged changed) {}

    ChangeRows(Database database) {
        this.database = database;
    }

    /** Returns the oldest transaction in progress; begins an epoch if the database was moved. */
    public Horizon horizon(Tx tx) {
        return tx.query(HORIZON, ChangeRows::readHorizon).orElseGet(() -> {
            database.run(BEGIN_EPOCH);
            return tx.query(HORIZON, ChangeRows::readHorizon).orElseThrow();
        });
    }

    /** Returns the oldest transaction in progress, outside any store; begins an epoch if the database was moved. */
    public Horizon horizon() {
        return database.query(HORIZON, ChangeRows::readHorizon).orElseGet(() -> {
            database.run(BEGIN_EPOCH);
            return database.query(HORIZON, ChangeRows::readHorizon).orElseThrow();
        });
    }

    private static Optional<Horizon> readHorizon(ResultSet row) throws SQLException {
        row.next();
        return row.getBoolean(3) ? Optional.of(new Horizon(row.getLong(1), row.getString(2))) : Optional.empty();
    }

    /** Returns the stores that changed between the transactions. */
    public List<StoreId> storesWithChanges(long after, long before) {
        return database.servedStores(
                "farm.stores_with_changes(?::bigint, ?::bigint)", Long.toString(after), Long.toString(before));
    }

    /**
     * Returns changes of records of the types after {@code number} of {@code transaction}, as {@link #jobMoves} does.
     */
    public List<RecordChange> recordChanges(
            Tx tx, Collection<String> types, long transaction, long number, long before, int maxRows) {
        return tx.list(
                """
                select changed::text, id, type, "recordId", change, at, fields
                from farm."recordChange"
                where "storeId" = ? and type = any(string_to_array(?, ','))
                  and (changed, id) > (?::xid8, ?) and changed < ?::xid8
                order by changed, id limit ?""",
                rows -> new RecordChange(
                        rows.getLong(1),
                        rows.getLong(2),
                        new RecordChanged(
                                rows.getString(3),
                                rows.getString(4),
                                RecordChanged.Change.valueOf(rows.getString(5)),
                                rows.getObject(6, OffsetDateTime.class).toInstant()),
                        texts(rows.getArray(7))),
                tx.store().value(),
                String.join(",", types),
                Long.toString(transaction),
                number,
                Long.toString(before),
                maxRows);
    }

    private static List<String> texts(@Nullable Array array) throws SQLException {
        return array == null ? List.of() : List.of((String[]) array.getArray());
    }

    /** Returns the status changes after {@code number} of {@code transaction}, of transactions before {@code before}, oldest first. */
    public List<JobStatusChange> jobMoves(Tx tx, long transaction, long number, long before, int maxRows) {
        return tx.list(
                """
                select changed::text, id, "printJobId", "previousStatus", status, "assignedPrinterId", attempt, at
                from farm."jobMove"
                where "storeId" = ? and (changed, id) > (?::xid8, ?) and changed < ?::xid8
                order by changed, id limit ?""",
                rows -> new JobStatusChange(
                        rows.getLong(1),
                        rows.getLong(2),
                        new JobStatusChanged(
                                rows.getString(3),
                                rows.getString(4),
                                rows.getString(5),
                                rows.getString(6),
                                rows.getInt(7),
                                rows.getObject(8, OffsetDateTime.class).toInstant())),
                tx.store().value(),
                Long.toString(transaction),
                number,
                Long.toString(before),
                maxRows);
    }

    /** Returns the transaction that last changed each printer's state, between the two, by printer id. */
    public Map<String, Long> printers(Tx tx, long after, long before) {
        return tx.query(
                "select \"printerId\", changed::text from farm.\"printerState\""
                        + " where \"storeId\" = ? and changed > ?::xid8 and changed < ?::xid8",
                rows -> {
                    Map<String, Long> changed = new TreeMap<>();
                    while (rows.next()) {
                        changed.put(rows.getString(1), rows.getLong(2));
                    }
                    return changed;
                },
                tx.store().value(),
                Long.toString(after),
                Long.toString(before));
    }

    /** Returns notification channels that were warned, disabled or enabled between the transactions. */
    public List<ChannelChange> channels(Tx tx, long after, long before) {
        return tx.list(
                """
                select changed::text, channel, enabled, "failureCount24h", warning, "disabledReason"
                from farm."notificationSetting"
                where "storeId" = ? and changed > ?::xid8 and changed < ?::xid8""",
                rows -> new ChannelChange(
                        rows.getLong(1),
                        new ChannelChanged(
                                rows.getString(2),
                                rows.getBoolean(3),
                                rows.getInt(4),
                                rows.getString(5),
                                rows.getString(6))),
                tx.store().value(),
                Long.toString(after),
                Long.toString(before));
    }
}
