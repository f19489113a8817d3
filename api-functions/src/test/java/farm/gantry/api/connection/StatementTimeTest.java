package farm.gantry.api.connection;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** When a statement exceeds the timeout, the client gets an error promptly and nothing is changed. */
final class StatementTimeTest {
    private static final String MACRO = """
            {"name": "purge", "type": "purge", "gcode": "G28", "compatibilities": []}""";

    private final SharedApi.Store store = SharedApi.newStore();

    @Test
    void slowStatementIsCancelledAndTheLogNamesRequestAndStore() throws Exception {
        String id = Client.of(new Socket(), store.key()).made("/v1/macros", MACRO);
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        Logger root = (Logger) LoggerFactory.getLogger("farm.gantry");
        root.setLevel(Level.WARN);
        root.addAppender(log);
        try (ApplicationContext another = SharedApi.another(Map.of("gantry.database.lock-timeout", "200ms"));
                Connection other = DriverManager.getConnection(SharedApi.ownerUrl())) {
            other.setAutoCommit(false);
            try (PreparedStatement lock =
                    other.prepareStatement("select from farm.\"gcodeMacro\" where id = ? for update")) {
                lock.setString(1, id);
                lock.execute();
            }
            String url = another.getBean(EmbeddedServer.class).getURL().toString();
            Answer answer = Client.of(new Socket(url), store.key())
                    .with("x-request-id", "the-slow-one")
                    .patch("/v1/macros/" + id, "{\"name\": \"changed\"}");
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.at("error")).isEqualTo("unavailable");
            assertThat(answer.header("retry-after")).isNotNull();
        } finally {
            root.detachAppender(log);
            root.setLevel(null);
        }
        assertThat(log.list)
                .anySatisfy(event -> assertThat(event.getMDCPropertyMap())
                        .isEqualTo(Map.of(
                                "requestId",
                                "the-slow-one",
                                "storeId",
                                store.id().value())));
        assertThat(Client.of(new Socket(), store.key()).get("/v1/macros/" + id).at("name"))
                .isEqualTo("purge");
    }
}
