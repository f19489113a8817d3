package farm.gantry.api.store;

import farm.gantry.StoreId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A transaction in one store. So that two do not wait for each other, what both hold is taken in one order: first the
 * works {@code schedule}, {@code folders}, {@code webhook} and {@code files}, then by nouns: agent, part, material, the
 * work {@code costs}, SKU, sequence, the work {@code queue}, job, printer, build, the webhook's setting, its deliveries;
 * and several of a noun by their ids. A round takes printers before jobs, but only printers that are free and jobs that
 * have none.
 */
public final class Tx {
    private final StoreId store;
    private final Connection connection;
    private final Map<Object, Runnable> afterwards = new LinkedHashMap<>();

    Tx(StoreId store, Connection connection) {
        this.store = store;
        this.connection = connection;
    }

    public StoreId store() {
        return store;
    }

    /** Runs it when the transaction has committed: to wake those who wait for what it wrote. */
    public void afterCommit(Runnable work) {
        afterwards.put(work, work);
    }

    /** The same, once for all that is equal. */
    public void onceAfterCommit(Object equal, Runnable work) {
        afterwards.put(equal, work);
    }

    void committed() {
        afterwards.values().forEach(Runnable::run);
    }

    /** Makes this transaction the only one of the store in its kind of work, until it ends. */
    public void alone(String work) {
        run("select pg_advisory_xact_lock(hashtextextended(?, 0))", work + ":" + store);
    }

    /** Makes others that want to be alone in this kind of work wait, but nobody else, until this transaction ends. */
    public void together(String work) {
        run("select pg_advisory_xact_lock_shared(hashtextextended(?, 0))", work + ":" + store);
    }

    /** The next so many numbers of a sequence. */
    List<Long> next(String sequence, int count) {
        return query(
                "select nextval(?::regclass) from generate_series(1, ?)",
                rows -> {
                    List<Long> numbers = new ArrayList<>(count);
                    while (rows.next()) {
                        numbers.add(rows.getLong(1));
                    }
                    return numbers;
                },
                "farm.\"" + sequence + "\"",
                count);
    }

    /** Runs a query; {@code reading} sees its rows. */
    public <T> T query(String sql, Database.Reading<T> reading, Object... values) {
        try (PreparedStatement statement = SqlStatement.bind(connection, sql, Arrays.asList(values));
                ResultSet rows = statement.executeQuery()) {
            return reading.read(rows);
        } catch (SQLException e) {
            throw StoreException.of(e);
        }
    }

    /** The first column of a query's rows, in their order. */
    List<String> texts(String sql, Object... values) {
        return query(sql, Database::texts, values);
    }

    <T> T query(SqlStatement statement, Database.Reading<T> reading) {
        return query(statement.sql(), reading, statement.values().toArray());
    }

    /** Runs a change and answers how many rows it met. */
    public int update(String sql, Object... values) {
        try (PreparedStatement statement = SqlStatement.bind(connection, sql, Arrays.asList(values))) {
            return statement.executeUpdate();
        } catch (SQLException e) {
            throw StoreException.of(e);
        }
    }

    int update(SqlStatement statement) {
        return update(statement.sql(), statement.values().toArray());
    }

    void run(String sql, Object... values) {
        try (PreparedStatement statement = SqlStatement.bind(connection, sql, Arrays.asList(values))) {
            statement.execute();
        } catch (SQLException e) {
            throw new StoreException(e);
        }
    }
}
