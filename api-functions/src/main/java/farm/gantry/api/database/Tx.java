package farm.gantry.api.database;

import farm.gantry.StoreId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

/**
 * A transaction in one store. To avoid deadlocks, locks are taken in one order: first the advisory locks before {@link
 * AdvisoryLock#FILES} and that one, then by table: agent, order, its items, part, material, {@link AdvisoryLock#COSTS}, SKU,
 * profile, {@link AdvisoryLock#SLICES}, sequence, {@link AdvisoryLock#QUEUE}, job, printer, build, the webhook's setting,
 * its deliveries; within a table by id. A job that ends is locked before its order: a holder of the order locks only jobs
 * that have not started.
 */
public final class Tx {
    private static final int PAGE_GROWTH = 4;
    private static final int MAX_PAGE = 20_000;

    private final StoreId store;
    private final Connection connection;
    private final SequencedMap<Object, Runnable> beforeCommit = new LinkedHashMap<>();
    private final Map<Object, Runnable> afterCommit = new LinkedHashMap<>();
    private final Map<Object, Set<?>> collected = new HashMap<>();
    private final Set<String> lockKeys = new HashSet<>();
    private final List<AdvisoryLock> locks = new ArrayList<>();

    Tx(StoreId store, Connection connection) {
        this.store = store;
        this.connection = connection;
    }

    public StoreId store() {
        return store;
    }

    /** Runs the work at the end of the transaction, once for equal keys, for work that depends on all changes. */
    public void onceBeforeCommit(Object equal, Runnable work) {
        beforeCommit.put(equal, work);
    }

    /** Runs the work at the end of the transaction, once for equal keys, with all values given for the key. */
    public <T> void onAllBeforeCommit(Object equal, Collection<T> values, Consumer<Set<T>> work) {
        Set<T> all = collect(equal, values);
        onceBeforeCommit(equal, () -> {
            collected.remove(equal);
            work.accept(all);
        });
    }

    /** Returns all values given for the key, which have the same type. */
    @SuppressWarnings("unchecked")
    private <T> Set<T> collect(Object equal, Collection<T> values) {
        Set<T> all = (Set<T>) collected.computeIfAbsent(equal, _ -> new LinkedHashSet<T>());
        all.addAll(values);
        return all;
    }

    /** Runs the work; it may add more. */
    void runBeforeCommit() {
        while (!beforeCommit.isEmpty()) {
            beforeCommit.pollFirstEntry().getValue().run();
        }
    }

    public void afterCommit(Runnable work) {
        afterCommit.put(work, work);
    }

    /** Runs the work after the commit, once for equal keys. */
    public void onceAfterCommit(Object equal, Runnable work) {
        afterCommit.put(equal, work);
    }

    /** Runs the work after the commit, once for equal keys, with all ids given for the key. */
    public void onAllAfterCommit(Object equal, String id, Consumer<Set<String>> work) {
        Set<String> ids = collect(equal, List.of(id));
        onceAfterCommit(equal, () -> work.accept(ids));
    }

    void runAfterCommit() {
        afterCommit.values().forEach(Runnable::run);
    }

    /** Takes the store's exclusive lock until the transaction ends. */
    public void lockExclusive(AdvisoryLock lock) {
        lockExclusive(lock.key(), lock);
    }

    /** Takes the exclusive lock of one key, such as that of an order, until the transaction ends. */
    public void lockExclusive(AdvisoryLock lock, String key) {
        lockExclusive(lock.key() + " " + key, lock);
    }

    private void lockExclusive(String key, AdvisoryLock lock) {
        noteOrder(key, lock);
        run("select pg_advisory_xact_lock(hashtextextended(?, 0))", key + ":" + store);
    }

    /** Takes the store's shared lock until the transaction ends. */
    public void lockShared(AdvisoryLock lock) {
        noteOrder(lock.key(), lock);
        run("select pg_advisory_xact_lock_shared(hashtextextended(?, 0))", lock.key() + ":" + store);
    }

    /** Takes the shared lock without waiting; returns whether it was taken. */
    public boolean tryLockShared(AdvisoryLock lock) {
        return one(
                "select pg_try_advisory_xact_lock_shared(hashtextextended(?, 0))",
                rows -> rows.getBoolean(1),
                lock.key() + ":" + store);
    }

    /**
     * Throws, where assertions are enabled, as in tests, if the lock is taken after one that comes later in the order.
     */
    private void noteOrder(String key, AdvisoryLock lock) {
        if (lockKeys.add(key)) {
            assert locks.isEmpty() || locks.getLast().compareTo(lock) <= 0
                    : lock + " is taken after " + locks.getLast();
            locks.add(lock);
        }
    }

    /** Returns PostgreSQL's interface for COPY, within this transaction. */
    CopyManager copyManager() throws SQLException {
        return connection.unwrap(PGConnection.class).getCopyAPI();
    }

    /** Returns the next numbers of a sequence. */
    public List<Long> nextNumbers(String sequence, int count) {
        return list(
                "select nextval(?::regclass) from generate_series(1, ?)",
                rows -> rows.getLong(1),
                "farm.\"" + sequence + "\"",
                count);
    }

    /** Runs a query and reads its rows. */
    public <T> T query(String sql, ResultReader<T> reading, Object... values) {
        try (PreparedStatement statement = SqlStatement.bind(connection, sql, Arrays.asList(values));
                ResultSet rows = statement.executeQuery()) {
            return reading.read(rows);
        } catch (SQLException e) {
            throw DatabaseException.of(e);
        }
    }

    /** Returns the mapped only row of a query. */
    public <T> T one(String sql, ResultReader<T> row, Object... values) {
        return query(
                sql,
                rows -> {
                    rows.next();
                    return row.read(rows);
                },
                values);
    }

    /** Returns the mapped first row of a query; empty if there is none or its value is null. */
    public <T> Optional<T> first(String sql, ResultReader<T> row, Object... values) {
        return query(sql, rows -> rows.next() ? Optional.ofNullable(row.read(rows)) : Optional.empty(), values);
    }

    /** Returns the mapped rows of a query, in order. */
    public <T> List<T> list(String sql, ResultReader<T> row, Object... values) {
        return query(
                sql,
                rows -> {
                    List<T> list = new ArrayList<>();
                    while (rows.next()) {
                        list.add(row.read(rows));
                    }
                    return list;
                },
                values);
    }

    /**
     * Passes the rows of a query to {@code next} page by page, each page four times as long as the last, until it
     * returns false. All pages see the data as of the start.
     */
    public <T> void pages(String sql, ResultReader<T> row, int first, Predicate<List<T>> next, Object... values) {
        run("declare pages no scroll cursor for " + sql, values);
        int size = first;
        while (true) {
            List<T> page = list("fetch " + size + " from pages", row);
            if (page.isEmpty() || !next.test(page) || page.size() < size) {
                break;
            }
            size = Math.min(PAGE_GROWTH * size, MAX_PAGE);
        }
        run("close pages");
    }

    /** Returns the mapped rows of a query by their first column, in order. */
    public <T> Map<String, T> map(String sql, ResultReader<T> row, Object... values) {
        Map<String, T> map = new LinkedHashMap<>();
        list(sql, rows -> Map.entry(rows.getString(1), row.read(rows)), values)
                .forEach(entry -> map.put(entry.getKey(), entry.getValue()));
        return map;
    }

    /** Returns the mapped rows of a query, grouped by their first column. */
    public <T> Map<String, List<T>> group(String sql, ResultReader<T> row, Object... values) {
        Map<String, List<T>> groups = new LinkedHashMap<>();
        list(sql, rows -> Map.entry(rows.getString(1), row.read(rows)), values)
                .forEach(entry -> groups.computeIfAbsent(entry.getKey(), _ -> new ArrayList<>())
                        .add(entry.getValue()));
        return groups;
    }

    /** Returns the first column of a query's rows, in order. */
    public List<String> texts(String sql, Object... values) {
        return list(sql, rows -> rows.getString(1), values);
    }

    public <T> List<T> list(SqlStatement statement, ResultReader<T> row) {
        return list(statement.sql(), row, statement.values().toArray());
    }

    <T> T query(SqlStatement statement, ResultReader<T> reading) {
        return query(statement.sql(), reading, statement.values().toArray());
    }

    /** Runs an update; returns the number of affected rows. */
    public int update(String sql, @Nullable Object... values) {
        try (PreparedStatement statement = SqlStatement.bind(connection, sql, Arrays.asList(values))) {
            return statement.executeUpdate();
        } catch (SQLException e) {
            throw DatabaseException.of(e);
        }
    }

    int update(SqlStatement statement) {
        return update(statement.sql(), statement.values().toArray());
    }

    public void run(String sql, Object... values) {
        try (PreparedStatement statement = SqlStatement.bind(connection, sql, Arrays.asList(values))) {
            statement.execute();
        } catch (SQLException e) {
            throw new DatabaseException(e);
        }
    }
}
