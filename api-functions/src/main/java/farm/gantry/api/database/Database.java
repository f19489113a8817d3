package farm.gantry.api.database;

import farm.gantry.StoreId;
import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.security.Caller;
import io.micronaut.data.connection.exceptions.ConnectionException;
import io.micronaut.data.connection.jdbc.advice.DelegatingDataSource;
import io.micronaut.transaction.TransactionOperations;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs transactions that are restricted to one store. */
@Singleton
public final class Database {
    /** Setting: whether other processes use the same database. */
    public static final String SHARED = "gantry.database.shared";

    /** Setting: JDBC URL that bypasses a connection pooler, for notifications, which need a session of their own. */
    public static final String DIRECT_URL = "gantry.database.direct-url";

    private static final Logger LOG = LoggerFactory.getLogger(Database.class);

    /** SQL states: deadlock and serialization failure. */
    private static final Set<String> RETRYABLE = Set.of("40P01", "40001");

    /**
     * SQL states: connection failures, resources such as disk, memory and connections, shutdown, system errors, and a
     * standby's refusal.
     */
    private static final Pattern OUTAGE = Pattern.compile("(08|53|57P|58).*|25006");

    private static final Set<String> DISK_FULL = Set.of("53100");

    /** SQL states: statement or lock timeout. */
    private static final Set<String> TIMEOUTS = Set.of("57014", "55P03");

    private static final int TRIES = 6;
    private static final Duration MAX_PAUSE = Duration.ofMillis(100);

    private final DataSource data;
    private final TransactionOperations<Connection> transactions;
    private final Replica replica;

    Database(DataSource data, TransactionOperations<Connection> transactions, Replica replica) {
        this.data = DelegatingDataSource.unwrapDataSource(data);
        this.transactions = transactions;
        this.replica = replica;
    }

    /**
     * Runs the work in a transaction that sees only the store; any exception rolls it back. After a deadlock or
     * serialization failure the work is retried with a random delay. {@link Tx} documents the lock order.
     */
    public <T> T in(StoreId store, Function<Tx, T> work) {
        return in(TenantSession.of(store), work);
    }

    /** Runs the work in the caller's store, after verifying a cached key. */
    public <T> T in(Caller caller, Function<Tx, T> work) {
        return withVerifiedKey(caller, entry -> in(entry, work));
    }

    private <T> T in(TenantSession entry, Function<Tx, T> work) {
        return withRetries(() -> runOnce(entry, work));
    }

    private static <T> T withRetries(Supplier<T> work) {
        for (int attempt = 1; ; attempt++) {
            try {
                return work.get();
            } catch (RuntimeException e) {
                if (!isRetryable(e)) {
                    throw e;
                } else if (attempt == TRIES) {
                    LOG.warn(
                            "transaction failed {} times on deadlocks or serialization conflicts; giving up", TRIES, e);
                    throw new ProblemException(
                            new Problem.Unavailable("too many concurrent changes; retry", Duration.ofSeconds(1)));
                }
                pause(attempt);
            }
        }
    }

    private static void pause(int attempt) {
        try {
            Thread.sleep(RandomGenerator.getDefault().nextLong(MAX_PAUSE.toMillis() * attempt));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Runs the work; if the cached key changed, reads it again, which may reject the request, and retries. */
    private static <T> T withVerifiedKey(Caller caller, Function<TenantSession, T> work) {
        try {
            return work.apply(TenantSession.of(caller));
        } catch (TenantSession.KeyChangedException e) {
            caller.store();
            return work.apply(TenantSession.of(caller));
        }
    }

    /** Whether PostgreSQL caused the fault. */
    public static boolean isDatabaseFailure(Throwable fault) {
        return causes(fault).anyMatch(SQLException.class::isInstance);
    }

    /**
     * Whether PostgreSQL was temporarily unreachable, full or shutting down. If PostgreSQL ends a connection within a
     * transaction, the rollback fails too, with an exception without an SQL state that replaces the first.
     */
    public static boolean isOutage(@Nullable Throwable fault) {
        return fault != null
                && causes(fault)
                        .anyMatch(cause -> cause instanceof SQLTransientConnectionException
                                || (cause instanceof ConnectionException && cause.getCause() instanceof SQLException)
                                || (cause instanceof SQLException sql
                                        && sql.getSQLState() != null
                                        && OUTAGE.matcher(sql.getSQLState()).matches()));
    }

    /** Whether PostgreSQL responds within the time. */
    public boolean isResponding(Duration within) {
        try (Connection connection = data.getConnection()) {
            return connection.isValid((int) within.toSeconds());
        } catch (SQLException e) {
            return false;
        }
    }

    /** Returns the time of PostgreSQL's clock. */
    public Instant readClock() {
        try (Connection connection = data.getConnection();
                PreparedStatement statement = connection.prepareStatement("select clock_timestamp()");
                ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getObject(1, OffsetDateTime.class).toInstant();
        } catch (SQLException e) {
            throw new DatabaseException(e);
        }
    }

    /** Whether the work failed because its store is moved to another installation. */
    public static boolean isStoreMoved(Throwable fault) {
        return fault instanceof ProblemException refused && refused.problem() instanceof Problem.StoreMoved;
    }

    /** Whether a statement exceeded its timeout. */
    public static boolean isTimeout(@Nullable Throwable fault) {
        return fault != null && hasState(fault, TIMEOUTS);
    }

    /** Whether PostgreSQL had no disk space to write. */
    public static boolean isDiskFull(@Nullable Throwable fault) {
        return fault != null && hasState(fault, DISK_FULL);
    }

    private static boolean isRetryable(Throwable fault) {
        return hasState(fault, RETRYABLE);
    }

    private static boolean hasState(Throwable fault, Set<String> states) {
        return causes(fault)
                .anyMatch(cause -> cause instanceof SQLException sql
                        && sql.getSQLState() != null
                        && states.contains(sql.getSQLState()));
    }

    private static Stream<Throwable> causes(Throwable fault) {
        return Stream.iterate(fault, Objects::nonNull, Throwable::getCause);
    }

    private <T> T runOnce(TenantSession entry, Function<Tx, T> work) {
        List<Tx> committed = new ArrayList<>(1);
        T result = transactions.executeWrite(status -> {
            Connection connection = status.getConnection();
            SqlStatement wall = entry.statement();
            try (PreparedStatement statement = SqlStatement.bind(connection, wall.sql(), wall.values())) {
                statement.execute();
            } catch (SQLException e) {
                throw entry.toException(e);
            }
            entry.onEntered();
            Tx tx = new Tx(entry.store(), connection);
            committed.add(tx);
            T done = work.apply(tx);
            tx.runBeforeCommit();
            entry.claim()
                    .filter(claim -> !WorkedClaimRows.markWorked(tx, claim))
                    .ifPresent(_ -> {
                        throw new ProblemException(new Problem.IdempotencyInProgress());
                    });
            return done;
        });
        committed.forEach(Tx::runAfterCommit);
        return result;
    }

    /** Returns the store ids that a database function lists, for periodic work over all stores. */
    public List<StoreId> findStores(String function) {
        return servedStores("farm." + function + "()");
    }

    /** Returns those of the store ids, which a call of a database function lists, that are not moved to another installation. */
    public List<StoreId> servedStores(String call, String... values) {
        return texts("select s from " + call + " s where s not in (select farm.moved_stores())", values).stream()
                .map(StoreId::new)
                .toList();
    }

    /** Throws if the store is moved to another installation. */
    public void checkServed(String storeId) {
        try (Connection connection = data.getConnection();
                PreparedStatement statement = SqlStatement.bind(connection, TenantSession.OPEN, List.of(storeId))) {
            statement.execute();
        } catch (SQLException e) {
            throw DatabaseException.of(e);
        }
    }

    /**
     * Runs the work in a transaction that sees only the store, even if it is moved, as of the transaction's start.
     */
    <T> T inMoved(StoreId store, Function<Tx, T> work) {
        return in(TenantSession.ofMoved(store), work);
    }

    public List<String> texts(String sql, String... values) {
        return query(sql, Database::texts, (Object[]) values);
    }

    public static List<String> texts(ResultSet rows) throws SQLException {
        List<String> texts = new ArrayList<>();
        while (rows.next()) {
            texts.add(rows.getString(1));
        }
        return texts;
    }

    /** Returns a time of a row, or null. */
    public static @Nullable Instant instant(ResultSet rows, int column) throws SQLException {
        OffsetDateTime time = rows.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    /** Runs a statement outside any store; row-level security then hides all stores' rows. */
    public <T> T query(String sql, ResultReader<T> reading, Object... values) {
        try (Connection connection = data.getConnection();
                PreparedStatement statement = SqlStatement.bind(connection, sql, Arrays.asList(values));
                ResultSet rows = statement.executeQuery()) {
            return reading.read(rows);
        } catch (SQLException e) {
            throw new DatabaseException(e);
        }
    }

    public void run(String sql, @Nullable Object... values) {
        try (Connection connection = data.getConnection();
                PreparedStatement statement = SqlStatement.bind(connection, sql, Arrays.asList(values))) {
            statement.execute();
        } catch (SQLException e) {
            throw new DatabaseException(e);
        }
    }

    /**
     * Runs one statement in the caller's store in a single round trip: both statements precede one Sync, so they form
     * one transaction. If the request has an idempotency claim, it runs as an ordinary transaction.
     */
    public <T> T run(Caller caller, SqlStatement statement, ResultReader<T> reading) {
        return caller.claim().isPresent()
                ? in(caller, tx -> tx.query(statement, reading))
                : withVerifiedKey(caller, entry -> withRetries(() -> run(data, entry, statement, reading)));
    }

    /**
     * Runs a statement of a list like {@link #run(Caller, SqlStatement, ResultReader)}. If there is a read replica that is
     * current enough, it answers; {@code reading} may then be called a second time, for the primary.
     */
    public <T> T read(Caller caller, SqlStatement statement, ResultReader<T> reading) {
        return onReplica(caller, (pool, entry) -> run(pool, entry, statement, reading))
                .orElseGet(() -> run(caller, statement, reading));
    }

    /**
     * Runs the work of a list or report, which must not write. If there is a read replica that is current enough, it
     * answers; the work may then be called a second time, for the primary.
     */
    public <T> T read(Caller caller, Function<Tx, T> work) {
        return onReplica(caller, (pool, entry) -> readOnce(pool, entry, work)).orElseGet(() -> in(caller, work));
    }

    /** Returns the answer of the replica; empty if the primary must answer. The primary verifies the caller's key. */
    private <T> Optional<T> onReplica(Caller caller, BiFunction<DataSource, TenantSession, T> work) {
        if (!replica.mayAnswer(caller)) {
            return Optional.empty();
        }
        Optional<String> required = run(caller, replica.selectRequiredMark(caller), rows -> {
            rows.next();
            return Optional.ofNullable(rows.getString(1));
        });
        return required.flatMap(mark -> replica.tryAnswer(() ->
                work.apply(replica.pool().orElseThrow(), TenantSession.ofReplica(caller.unverifiedStore(), mark))));
    }

    private static <T> T readOnce(DataSource pool, TenantSession entry, Function<Tx, T> work) {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false); // until the connection returns to the pool, which ends the transaction
            Tx tx = new Tx(entry.store(), connection);
            tx.query(entry.statement(), ResultSet::next);
            return work.apply(tx);
        } catch (SQLException e) {
            throw new DatabaseException(e);
        }
    }

    private static <T> T run(DataSource pool, TenantSession entry, SqlStatement statement, ResultReader<T> reading) {
        SqlStatement wall = entry.statement();
        List<Object> values = new ArrayList<>(wall.values());
        values.addAll(statement.values());
        try (Connection connection = pool.getConnection();
                PreparedStatement both = SqlStatement.bind(connection, wall.sql() + ";" + statement.sql(), values)) {
            both.execute();
            entry.onEntered();
            both.getMoreResults();
            try (ResultSet rows = both.getResultSet()) {
                return reading.read(rows);
            }
        } catch (SQLException e) {
            throw entry.toException(e);
        }
    }
}
