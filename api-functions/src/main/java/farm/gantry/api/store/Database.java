package farm.gantry.api.store;

import farm.gantry.StoreId;
import io.micronaut.data.connection.jdbc.advice.DelegatingDataSource;
import io.micronaut.transaction.TransactionOperations;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** Transactions in one store's reach. */
@Singleton
public final class Database {
    private static final String WALL = "select set_config('gantry.store', ?, true)";
    private static final String DEADLOCK = "40P01";
    private static final int TRIES = 3;

    private final DataSource data;
    private final TransactionOperations<Connection> transactions;

    Database(DataSource data, TransactionOperations<Connection> transactions) {
        this.data = DelegatingDataSource.unwrapDataSource(data);
        this.transactions = transactions;
    }

    /**
     * Runs the work in a transaction that sees only the store; any exception rolls it back. When two transactions wait
     * for each other, PostgreSQL ends one, and that one is done again.
     */
    public <T> T in(StoreId store, Function<Tx, T> work) {
        for (int tried = 1; ; tried++) {
            try {
                return once(store, work);
            } catch (RuntimeException e) {
                if (tried == TRIES || !isDeadlock(e)) {
                    throw e;
                }
            }
        }
    }

    private static boolean isDeadlock(Throwable fault) {
        return Stream.iterate(fault, Objects::nonNull, Throwable::getCause)
                .anyMatch(cause -> cause instanceof SQLException sql && DEADLOCK.equals(sql.getSQLState()));
    }

    private <T> T once(StoreId store, Function<Tx, T> work) {
        List<Tx> committed = new ArrayList<>(1);
        T result = transactions.executeWrite(status -> {
            Connection connection = status.getConnection();
            try (PreparedStatement wall = Statement.bind(connection, WALL, List.of(store.value()))) {
                wall.execute();
            } catch (SQLException e) {
                throw new StoreException(e);
            }
            Tx tx = new Tx(store, connection);
            committed.add(tx);
            return work.apply(tx);
        });
        committed.forEach(Tx::committed);
        return result;
    }

    /** A store's name, before there is a row to read it from: for the operator who makes one, and the sweeps. */
    public List<StoreId> stores(String function) {
        return texts("select * from farm." + function + "()").stream()
                .map(StoreId::new)
                .toList();
    }

    public List<String> texts(String sql, String... values) {
        return query(
                sql,
                rows -> {
                    List<String> texts = new ArrayList<>();
                    while (rows.next()) {
                        texts.add(rows.getString(1));
                    }
                    return texts;
                },
                (Object[]) values);
    }

    /** A statement outside every store: it sees no store's rows, only functions and tables without one. */
    <T> T query(String sql, Reading<T> reading, Object... values) {
        try (Connection connection = data.getConnection();
                PreparedStatement statement = Statement.bind(connection, sql, Arrays.asList(values));
                ResultSet rows = statement.executeQuery()) {
            return reading.read(rows);
        } catch (SQLException e) {
            throw new StoreException(e);
        }
    }

    void run(String sql, Object... values) {
        try (Connection connection = data.getConnection();
                PreparedStatement statement = Statement.bind(connection, sql, Arrays.asList(values))) {
            statement.execute();
        } catch (SQLException e) {
            throw new StoreException(e);
        }
    }

    /** What is done with the rows of a statement. */
    public interface Reading<T> {
        T read(ResultSet rows) throws SQLException;
    }

    /**
     * One statement in the store's reach and one round trip: both texts go out before one Sync, so that the setting
     * lives in that implicit transaction only.
     */
    <T> T read(StoreId store, Statement statement, Reading<T> reading) {
        List<Object> values = new ArrayList<>(statement.values().size() + 1);
        values.add(store.value());
        values.addAll(statement.values());
        try (Connection connection = data.getConnection();
                PreparedStatement both = Statement.bind(connection, WALL + ";" + statement.sql(), values)) {
            both.execute();
            both.getMoreResults();
            try (ResultSet rows = both.getResultSet()) {
                return reading.read(rows);
            }
        } catch (SQLException e) {
            throw new StoreException(e);
        }
    }
}
