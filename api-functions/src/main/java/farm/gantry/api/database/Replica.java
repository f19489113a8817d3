package farm.gantry.api.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import farm.gantry.api.security.Caller;
import io.micronaut.context.annotation.Value;
import io.micronaut.data.connection.jdbc.advice.DelegatingDataSource;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A read replica of the database, which answers lists and reports while it is at most {@code
 * gantry.database.replica-max-lag} behind. While it fails, one request tries it again every two seconds.
 */
@Singleton
public final class Replica {
    /** SQL state: the replica lacks the required mark. */
    private static final String TOO_FAR_BEHIND = "GK003";

    private static final Duration RETRY_INTERVAL = Duration.ofSeconds(2);
    /** Maximum wait for a connection, after which the primary answers. */
    private static final Duration CONNECTION_TIMEOUT = Duration.ofMillis(500);
    /** Seconds after which the primary answers instead of a silent replica. */
    private static final String SOCKET_TIMEOUT = "10";

    private static final Logger LOG = LoggerFactory.getLogger(Replica.class);

    private final Optional<HikariDataSource> pool;
    private final Duration maxLag;
    private final AtomicBoolean isFailing = new AtomicBoolean();
    private final AtomicLong retryAt = new AtomicLong();
    private final LongAdder reads = new LongAdder();
    private final LongAdder fallbacks = new LongAdder();

    Replica(
            DataSource primary,
            @Value("${gantry.database.replica-url}") String url,
            @Value("${gantry.database.replica-max-lag}") Duration maxLag) {
        this.maxLag = maxLag;
        this.pool = url.isEmpty()
                ? Optional.empty()
                : Optional.of(open(url, (HikariDataSource) DelegatingDataSource.unwrapDataSource(primary)));
    }

    /** Opens a pool with the credentials and limits of the primary's. It connects when it is first used. */
    private static HikariDataSource open(String url, HikariConfig primary) {
        HikariConfig settings = new HikariConfig();
        settings.setPoolName("replica");
        settings.setJdbcUrl(url);
        settings.setDriverClassName(primary.getDriverClassName());
        settings.setUsername(primary.getUsername());
        settings.setPassword(primary.getPassword());
        settings.setConnectionInitSql(primary.getConnectionInitSql());
        settings.setDataSourceProperties(primary.getDataSourceProperties());
        settings.addDataSourceProperty("socketTimeout", SOCKET_TIMEOUT);
        settings.setMaximumPoolSize(primary.getMaximumPoolSize());
        settings.setMinimumIdle(0);
        settings.setIdleTimeout(primary.getIdleTimeout());
        settings.setConnectionTimeout(CONNECTION_TIMEOUT.toMillis());
        settings.setValidationTimeout(CONNECTION_TIMEOUT.toMillis());
        settings.setInitializationFailTimeout(-1);
        return new HikariDataSource(settings);
    }

    /** The connections to the replica, if there is one. */
    Optional<HikariDataSource> pool() {
        return pool;
    }

    /** Returns how many requests the replica answered. */
    public long reads() {
        return reads.sum();
    }

    /** Returns how many requests the primary answered because the replica failed or was too far behind. */
    public long fallbacks() {
        return fallbacks.sum();
    }

    /** Whether the replica may answer the request: not one that needs all changes, or has an idempotency key. */
    boolean mayAnswer(Caller caller) {
        return pool.isPresent()
                && !caller.needsLatest()
                && caller.claim().isEmpty()
                && (!isFailing.get() || isRetryDue());
    }

    /**
     * Whether the time has come for one request to try the replica again. If there is no recent mark yet, that request makes
     * one, and another must follow before it is too old.
     */
    private boolean isRetryDue() {
        long due = retryAt.get();
        long now = System.nanoTime();
        long next = now + Math.min(RETRY_INTERVAL.toNanos(), maxLag.toNanos() / 4);
        return now - due >= 0 && retryAt.compareAndSet(due, next);
    }

    /** Selects the mark that the replica must have for the caller; null if the primary must answer. */
    SqlStatement selectRequiredMark(Caller caller) {
        return new SqlStatement(
                "select farm.required_replica_mark(?, ?, ?::interval)::text",
                List.of(caller.unverifiedStore().value(), caller.keyId(), maxLag.toMillis() + " ms"));
    }

    /** Returns the answer of the replica; empty if it fails. A statement that takes too long would do so everywhere. */
    <T> Optional<T> tryAnswer(Supplier<T> reading) {
        try {
            T answer = reading.get();
            reads.increment();
            if (isFailing.compareAndSet(true, false)) {
                LOG.info("the read replica answers lists again");
            }
            return Optional.of(answer);
        } catch (RuntimeException e) {
            if (!Database.isDatabaseFailure(e) || Database.isTimeout(e)) {
                throw e;
            }
            onFailure(e);
            return Optional.empty();
        }
    }

    private void onFailure(RuntimeException failure) {
        fallbacks.increment();
        retryAt.set(System.nanoTime() + RETRY_INTERVAL.toNanos());
        if (isFailing.compareAndSet(false, true)) {
            LOG.warn(
                    "the read replica {}; the primary database answers lists until it recovers",
                    failure.getCause() instanceof SQLException sql && TOO_FAR_BEHIND.equals(sql.getSQLState())
                            ? "is more than " + maxLag.toMillis() + " ms behind"
                            : "failed (" + failure.getMessage() + ")");
        }
    }

    @PreDestroy
    void close() {
        pool.ifPresent(HikariDataSource::close);
    }
}
