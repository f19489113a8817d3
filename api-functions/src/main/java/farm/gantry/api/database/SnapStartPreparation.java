package farm.gantry.api.database;

import com.zaxxer.hikari.HikariDataSource;
import io.micronaut.context.ApplicationContext;
import io.micronaut.data.connection.jdbc.advice.DelegatingDataSource;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;
import org.crac.Core;
import org.crac.Resource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Prepares a Lambda function for SnapStart, which starts many copies of one process snapshot: closes connections before
 * the snapshot, so that each copy opens its own, and reseeds the random number generators after it, because all copies
 * hold the same seed.
 */
public final class SnapStartPreparation implements Resource {
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);
    private static final int SEED_BYTES = 32;

    private static final Logger LOG = LoggerFactory.getLogger(SnapStartPreparation.class);

    private final List<HikariDataSource> pools;
    private final Duration closeTimeout;
    private final List<Rehearsal> rehearsals = new ArrayList<>();

    /** Work of a function that runs before the snapshot, so that its code is part of it. Must not write. */
    @FunctionalInterface
    public interface Rehearsal {
        void run() throws Exception;
    }

    /** {@code closeTimeout} is the maximum wait for connections in use. */
    SnapStartPreparation(List<HikariDataSource> pools, Duration closeTimeout) {
        this.pools = pools;
        this.closeTimeout = closeTimeout;
    }

    /**
     * Registers for snapshots. The singleton keeps the registration alive, because the CRaC registry holds only weak
     * references.
     */
    public static void register(ApplicationContext context) {
        DataSource pool = DelegatingDataSource.unwrapDataSource(context.getBean(DataSource.class));
        List<HikariDataSource> pools = new ArrayList<>(List.of((HikariDataSource) pool));
        context.getBean(Replica.class).pool().ifPresent(pools::add);
        SnapStartPreparation snapshot = new SnapStartPreparation(List.copyOf(pools), CLOSE_TIMEOUT);
        context.registerSingleton(snapshot);
        Core.getGlobalContext().register(snapshot);
    }

    /** Adds a rehearsal if a snapshot will be taken. */
    public static void rehearse(ApplicationContext context, Rehearsal rehearsal) {
        context.findBean(SnapStartPreparation.class).ifPresent(snapshot -> snapshot.rehearsals.add(rehearsal));
    }

    /**
     * Opens a connection first, so that its code is part of the snapshot, runs the rehearsals, and then closes all
     * connections. A rehearsal that fails only makes copies slower.
     */
    @Override
    public void beforeCheckpoint(org.crac.Context<? extends Resource> all)
            throws SQLException, TimeoutException, InterruptedException {
        try (Connection connection = pools.getFirst().getConnection()) {
            connection.isValid((int) closeTimeout.toSeconds());
        }
        int successful = 0;
        for (Rehearsal rehearsal : rehearsals) {
            try {
                rehearsal.run();
                successful++;
            } catch (InterruptedException e) {
                throw e;
            } catch (Exception e) {
                LOG.warn("a rehearsal failed; the first calls after the snapshot take longer", e);
            }
        }
        LOG.info("{} of {} rehearsals before the snapshot were successful", successful, rehearsals.size());
        long end = System.nanoTime() + closeTimeout.toNanos();
        for (HikariDataSource pool : pools) {
            closeConnections(pool, end);
        }
    }

    private static void closeConnections(HikariDataSource pool, long end)
            throws TimeoutException, InterruptedException {
        pool.getHikariPoolMXBean().softEvictConnections();
        while (pool.getHikariPoolMXBean().getTotalConnections() > 0) {
            if (System.nanoTime() > end) {
                throw new TimeoutException("connections are still in use and cannot be part of a snapshot");
            }
            Thread.sleep(Duration.ofMillis(5));
        }
    }

    /**
     * Reseeds the generator that all secure generators of the JDK on Linux share. The pool opens connections on demand.
     */
    @Override
    public void afterRestore(org.crac.Context<? extends Resource> all) throws NoSuchAlgorithmException {
        new SecureRandom()
                .setSeed(SecureRandom.getInstance("NativePRNGNonBlocking").generateSeed(SEED_BYTES));
    }
}
