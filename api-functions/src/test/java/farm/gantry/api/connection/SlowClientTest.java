package farm.gantry.api.connection;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.Eventually;
import farm.gantry.api.fixture.KeptConnection;
import farm.gantry.api.fixture.SharedApi;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Slow clients get 408 or a closed connection, and do not slow down others. */
@Tag("install")
final class SlowClientTest {
    private static final int HALF_OPEN = 200;
    private static final String KEY =
            "authorization: ApiKey " + SharedApi.newStore().key();
    private static final String SLOW = "127.0.0.2";
    private static final String QUICK = "127.0.0.1";

    private static ApplicationContext context;
    private static String url = "";

    @BeforeAll
    static void start() {
        context = SharedApi.another(Map.of(
                "gantry.connections.header-timeout",
                "25s",
                "gantry.connections.body-interval",
                "1s",
                "gantry.connections.idle-timeout",
                "1s",
                "gantry.connections.linger-idle-timeout",
                "5s",
                "gantry.connections.max-per-address",
                HALF_OPEN));
        url = context.getBean(EmbeddedServer.class).getURL().toString();
    }

    @AfterAll
    static void stop() {
        context.close();
    }

    private static Answer quick() throws IOException {
        try (KeptConnection connection = new KeptConnection(url, QUICK)) {
            return connection.send(new byte[0], "GET /v1/macros HTTP/1.1", "host: 127.0.0.1", KEY);
        }
    }

    private static void expectTimeout(KeptConnection connection) throws IOException {
        Answer answer = connection.answer();
        assertThat(answer.status()).isEqualTo(408);
        assertThat(answer.at("error")).isEqualTo("request_timeout");
        assertThat(answer.at("requestId")).isEqualTo(answer.header("x-request-id"));
        assertThat(connection.isClosed()).isTrue();
    }

    @Test
    void halfSentRequestsBlockNobodyAndTimeOut() throws IOException {
        assertThat(quick().status()).isEqualTo(200);
        List<KeptConnection> slow = new ArrayList<>();
        try {
            for (int i = 0; i < HALF_OPEN; i++) {
                KeptConnection connection = new KeptConnection(url, SLOW);
                slow.add(connection);
                connection.write(Client.utf8("GET /v1/macros HTTP/1.1\r\nhost: 127.0.0.1\r\nx-slow: "));
                if (i % 20 == 0) {
                    assertThat(quick().status()).isEqualTo(200);
                }
            }
            Eventually.until(
                    "all are open", () -> context.getBean(ConnectionLimiter.class).count() >= HALF_OPEN);
            try (KeptConnection oneMore = new KeptConnection(url, SLOW)) {
                Answer refused = oneMore.answer();
                assertThat(refused.status()).isEqualTo(503);
                assertThat(refused.at("error")).isEqualTo("unavailable");
                assertThat(oneMore.isClosed()).isTrue();
            }
            for (KeptConnection each : slow) {
                expectTimeout(each);
            }
        } finally {
            for (KeptConnection each : slow) {
                each.close();
            }
        }
        assertThat(quick().status()).isEqualTo(200);
    }

    @Test
    void stalledBodyTimesOut() throws IOException {
        try (KeptConnection connection = new KeptConnection(url, QUICK)) {
            connection.write(Client.utf8("POST /v1/macros HTTP/1.1\r\nhost: 127.0.0.1\r\n" + KEY
                    + "\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{\"name\""));
            expectTimeout(connection);
        }
    }

    @Test
    void idleConnectionIsClosed() throws IOException {
        try (KeptConnection silent = new KeptConnection(url, QUICK);
                KeptConnection idle = new KeptConnection(url, QUICK)) {
            assertThat(idle.send(new byte[0], "GET /v1/macros HTTP/1.1", "host: 127.0.0.1", KEY)
                            .status())
                    .isEqualTo(200);
            assertThat(idle.isClosed()).isTrue();
            assertThat(silent.isClosed()).isTrue();
        }
    }

    /** Begins an upload to an unsigned URL, which is rejected while its body is being sent. */
    private static void beginUpload(KeptConnection connection, long length) throws IOException {
        connection.write(Client.utf8(
                "PUT /v1/storage/content?path=uploads:x/y/z.gcode&expires=1&signature=none HTTP/1.1\r\nhost: 127.0.0.1\r\n"
                        + "content-length: " + length + "\r\n\r\n; a part"));
        Answer refused = connection.answer();
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.header("connection")).isEqualTo("close");
    }

    @Test
    void rejectedUploadIsReadToItsEnd() throws IOException {
        byte[] piece = new byte[1 << 20];
        int pieces = 32;
        try (KeptConnection connection = new KeptConnection(url, QUICK)) {
            beginUpload(connection, "; a part".length() + (long) pieces * piece.length);
            for (int i = 0; i < pieces; i++) {
                connection.write(piece);
            }
            assertThat(connection.isClosed()).isTrue();
        }
    }

    @Test
    void rejectedUploadIsClosedWhenItDoesNotEnd() throws IOException {
        try (KeptConnection connection = new KeptConnection(url, QUICK)) {
            beginUpload(connection, 1 << 30);
            assertThat(connection.isClosed()).isTrue();
        }
    }
}
