package farm.gantry.api.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import farm.gantry.api.SharedApi;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A transaction whose connection PostgreSQL ends fails as an outage, whatever it was at. */
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
    void whenAStatementFails() {
        assertThat(failure(tx -> tx.texts("select 'x'"))).matches(Database::isOutage);
    }

    @Test
    void whenItCommits() {
        assertThat(failure(_ -> {})).matches(Database::isOutage);
    }

    @Test
    void whenAnotherStatementFollowsTheOneThatFailed() {
        assertThat(failure(tx -> {
                    assertThat(catchThrowable(() -> tx.texts("select 'x'"))).isNotNull();
                    tx.texts("select 'y'");
                }))
                .matches(Database::isOutage);
    }
}
