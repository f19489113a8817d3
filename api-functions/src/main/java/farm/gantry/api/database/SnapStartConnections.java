package farm.gantry.api.database;

import com.zaxxer.hikari.HikariDataSource;
import io.micronaut.context.ApplicationContext;
import io.micronaut.data.connection.jdbc.advice.DelegatingDataSource;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;
import org.crac.Core;
import org.crac.Resource;

/**
 * What of a function does not outlive a snapshot of its process, of which Lambda starts many copies: connections end before it,
 * so that each copy opens its own, and random numbers begin anew after it, for all copies hold the same.
 */
public final class SnapStartConnections implements Resource {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int SEED_BYTES = 32;

    private final HikariDataSource pool;
    private final Duration patience;

    /** {@code patience} is for connections that are in use. */
    SnapStartConnections(HikariDataSource pool, Duration patience) {
        this.pool = pool;
        this.patience = patience;
    }

    /** Has Lambda tell of snapshots; the beans hold what is told, as the registry does not. */
    public static void register(ApplicationContext context) {
        DataSource pool = DelegatingDataSource.unwrapDataSource(context.getBean(DataSource.class));
        SnapStartConnections snapshot = new SnapStartConnections((HikariDataSource) pool, PATIENCE);
        context.registerSingleton(snapshot);
        Core.getGlobalContext().register(snapshot);
    }

    /** Opens a connection first, so that what that takes is in the snapshot, and then ends all. */
    @Override
    public void beforeCheckpoint(org.crac.Context<? extends Resource> all)
            throws SQLException, TimeoutException, InterruptedException {
        try (Connection connection = pool.getConnection()) {
            connection.isValid((int) patience.toSeconds());
        }
        long end = System.nanoTime() + patience.toNanos();
        pool.getHikariPoolMXBean().softEvictConnections();
        while (pool.getHikariPoolMXBean().getTotalConnections() > 0) {
            if (System.nanoTime() > end) {
                throw new TimeoutException("connections are still in use, which no copy could use");
            }
            Thread.sleep(Duration.ofMillis(5));
        }
    }

    /** All secure generators of the JDK on Linux share what is seeded here; the pool opens connections when they are needed. */
    @Override
    public void afterRestore(org.crac.Context<? extends Resource> all) throws NoSuchAlgorithmException {
        new SecureRandom()
                .setSeed(SecureRandom.getInstance("NativePRNGNonBlocking").generateSeed(SEED_BYTES));
    }
}
