package farm.gantry.api.main;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.api.database.Database;
import farm.gantry.api.fixture.SharedApi;
import io.micronaut.context.ApplicationContext;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ConnectionPoolerTest {
    private static final Map<String, Object> DIRECT = Map.of(Database.DIRECT_URL, SharedApi.databaseUrl());

    @Test
    void startFailsWhenThePoolerSetsNoTimeouts() {
        Map<String, Object> pooled = new HashMap<>(ConnectionPooler.settings());
        pooled.putAll(DIRECT);
        try (ApplicationContext context = SharedApi.another(pooled)) {
            assertThatThrownBy(() -> ConnectionPooler.checkTimeouts(context))
                    .hasMessageContaining("does not set lock_timeout, statement_timeout:")
                    .hasMessageContaining(
                            "connect_query='set statement_timeout = ''30s''; set lock_timeout = ''10s'';");
        }
    }

    @Test
    void startAcceptsAPoolerThatSetsTheTimeouts() {
        try (ApplicationContext context = SharedApi.another(DIRECT)) {
            assertThatCode(() -> ConnectionPooler.checkTimeouts(context)).doesNotThrowAnyException();
        }
    }
}
