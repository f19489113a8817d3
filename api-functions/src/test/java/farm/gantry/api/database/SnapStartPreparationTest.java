package farm.gantry.api.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import farm.gantry.api.fixture.SharedApi;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.crac.Context;
import org.crac.Core;
import org.crac.Resource;
import org.junit.jupiter.api.Test;

/** Tests connections around a SnapStart snapshot by calling Lambda's hooks by hand. */
final class SnapStartPreparationTest {
    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final Context<? extends Resource> ALL = Core.getGlobalContext();

    private static HikariDataSource pool() {
        HikariConfig settings = new HikariConfig();
        settings.setJdbcUrl(SharedApi.databaseUrl());
        settings.setMaximumPoolSize(2);
        settings.setMinimumIdle(0);
        return new HikariDataSource(settings);
    }

    @Test
    void snapshotHasNoConnectionAndEachCopyOpensItsOwn() throws Exception {
        try (HikariDataSource pool = pool()) {
            SnapStartPreparation snapshot = new SnapStartPreparation(List.of(pool), TIMEOUT);
            try (Connection connection = pool.getConnection()) {
                assertThat(connection.isValid(10)).isTrue();
            }
            assertThat(pool.getHikariPoolMXBean().getTotalConnections()).isEqualTo(1);
            snapshot.beforeCheckpoint(ALL);
            assertThat(pool.getHikariPoolMXBean().getTotalConnections()).isZero();
            snapshot.afterRestore(ALL);
            try (Connection connection = pool.getConnection()) {
                assertThat(connection.isValid(10)).isTrue();
            }
        }
    }

    @Test
    void snapshotFailsWhileAConnectionIsInUse() throws Exception {
        try (HikariDataSource pool = pool();
                Connection _ = pool.getConnection()) {
            assertThatThrownBy(
                            () -> new SnapStartPreparation(List.of(pool), Duration.ofMillis(50)).beforeCheckpoint(ALL))
                    .isInstanceOf(TimeoutException.class);
        }
    }
}
