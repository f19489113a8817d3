package farm.gantry.api.connection;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.SharedApi;
import io.micronaut.context.ApplicationContext;
import io.micronaut.data.connection.jdbc.advice.DelegatingDataSource;
import io.micronaut.function.aws.MicronautLambdaContext;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Tests that the database ends the idle transaction of a frozen function after a minute. */
final class IdleTransactionTest {
    private static String limit(ApplicationContext install) throws SQLException {
        DataSource data = DelegatingDataSource.unwrapDataSource(install.getBean(DataSource.class));
        try (Connection connection = data.getConnection();
                ResultSet shown =
                        connection.createStatement().executeQuery("show idle_in_transaction_session_timeout")) {
            assertThat(shown.next()).isTrue();
            return shown.getString(1);
        }
    }

    @Test
    void idleTransactionOfAFunctionEndsAfterAMinute() throws SQLException {
        try (ApplicationContext function = ApplicationContext.builder(MicronautLambdaContext.ENVIRONMENT_LAMBDA)
                .properties(Map.of(
                        "datasources.default.url",
                        SharedApi.databaseUrl(),
                        "gantry.pepper",
                        SharedApi.PEPPER,
                        "gantry.secret-key",
                        SharedApi.SECRET_KEY))
                .deduceEnvironment(false)
                .banner(false)
                .start()) {
            assertThat(limit(function)).isEqualTo("1min");
        }
    }

    @Test
    void idleTransactionOfASingleMachineIsNotEnded() throws SQLException {
        assertThat(limit(SharedApi.context())).isEqualTo("0");
    }
}
