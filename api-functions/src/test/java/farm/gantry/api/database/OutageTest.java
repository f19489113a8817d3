package farm.gantry.api.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import farm.gantry.api.fixture.SharedApi;
import io.micronaut.data.connection.jdbc.advice.DelegatingDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Tests that a transaction fails as an outage when PostgreSQL ends its connection at any point. */
final class OutageTest {
    private final SharedApi.Store store = SharedApi.newStore();

    private Throwable failure(Consumer<Tx> then) {
        return catchThrowable(() -> SharedApi.bean(Database.class).in(store.id(), tx -> {
            end(tx.query("select pg_backend_pid()", rows -> {
                rows.next();
                return rows.getInt(1);
            }));
            then.accept(tx);
            return "";
        }));
    }

    private static void end(int backend) {
        try (Connection owner = DriverManager.getConnection(SharedApi.ownerUrl());
                Statement statement = owner.createStatement()) {
            statement.execute("select pg_terminate_backend(" + backend + ", 10000)");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void silentServerIsUnavailableAfterTheStatementTimeout() throws SQLException {
        try (Connection connection = DelegatingDataSource.unwrapDataSource(SharedApi.bean(DataSource.class))
                        .getConnection();
                Statement statement = connection.createStatement();
                ResultSet limit = statement.executeQuery(
                        "select extract(epoch from current_setting('statement_timeout')::interval) * 1000")) {
            assertThat(limit.next()).isTrue();
            assertThat(connection.getNetworkTimeout()).isGreaterThan(limit.getInt(1));
        }
    }

    @Test
    void endedConnectionIsAnOutageWhenAStatementFails() {
        assertThat(failure(tx -> tx.texts("select 'x'"))).matches(Database::isOutage);
    }

    @Test
    void endedConnectionIsAnOutageWhenTheTransactionCommits() {
        assertThat(failure(_ -> {})).matches(Database::isOutage);
    }

    @Test
    void endedConnectionIsAnOutageForLaterStatements() {
        assertThat(failure(tx -> {
                    assertThat(catchThrowable(() -> tx.texts("select 'x'"))).isNotNull();
                    tx.texts("select 'y'");
                }))
                .matches(Database::isOutage);
    }
}
