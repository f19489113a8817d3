package farm.gantry.api.store;

import farm.gantry.StoreId;
import farm.gantry.api.Caller;
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
        return in(Entry.of(store), work);
    }

    /** The same, in the caller's store, if its key still opens it. */
    public <T> T in(Caller caller, Function<Tx, T> work) {
        return entered(caller, entry -> in(entry, work));
    }

    private <T> T in(Entry entry, Function<Tx, T> work) {
        for (int tried = 1; ; tried++) {
            try {
                return once(entry, work);
            } catch (RuntimeException e) {
                if (tried == TRIES || !isDeadlock(e)) {
                    throw e;
                }
            }
        }
    }

    /** A key that is not what was remembered of it is read again, and refused, or the work is done after all. */
    private static <T> T entered(Caller caller, Function<Entry, T> work) {
        try {
            return work.apply(Entry.of(caller));
        } catch (Entry.KeyChanged e) {
            return work.apply(Entry.of(caller.store()));
        }
    }

    /** Whether it was PostgreSQL that refused, or was not there. */
    public static boolean isBehind(Throwable fault) {
        return causes(fault).anyMatch(SQLException.class::isInstance);
    }

    private static boolean isDeadlock(Throwable fault) {
        return causes(fault).anyMatch(cause -> cause instanceof SQLException sql && DEADLOCK.equals(sql.getSQLState()));
    }

    private static Stream<Throwable> causes(Throwable fault) {
        return Stream.iterate(fault, Objects::nonNull, Throwable::getCause);
    }

    private <T> T once(Entry entry, Function<Tx, T> work) {
        List<Tx> committed = new ArrayList<>(1);
        T result = transactions.executeWrite(status -> {
            Connection connection = status.getConnection();
            Statement wall = entry.statement();
            try (PreparedStatement statement = Statement.bind(connection, wall.sql(), wall.values())) {
                statement.execute();
            } catch (SQLException e) {
                throw entry.refused(e);
            }
            entry.passed();
            Tx tx = new Tx(entry.store(), connection);
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
     * One statement in the caller's store and one round trip: both texts go out before one Sync, so that they are one
     * transaction, which ends with it.
     */
    <T> T run(Caller caller, Statement statement, Reading<T> reading) {
        return entered(caller, entry -> run(entry, statement, reading));
    }

    private <T> T run(Entry entry, Statement statement, Reading<T> reading) {
        Statement wall = entry.statement();
        List<Object> values = new ArrayList<>(wall.values());
        values.addAll(statement.values());
        try (Connection connection = data.getConnection();
                PreparedStatement both = Statement.bind(connection, wall.sql() + ";" + statement.sql(), values)) {
            both.execute();
            entry.passed();
            both.getMoreResults();
            try (ResultSet rows = both.getResultSet()) {
                return reading.read(rows);
            }
        } catch (SQLException e) {
            throw entry.refused(e);
        }
    }
}
