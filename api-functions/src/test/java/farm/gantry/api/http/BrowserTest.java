package farm.gantry.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.KeptConnection;
import farm.gantry.api.fixture.SharedApi;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests the headers for browsers: which origins may call the API, and what they may do with responses. */
final class BrowserTest {
    private static final String CONSOLE = "https://console.example";
    private static final String ALLOWED = "access-control-allow-origin";
    private static final String KEY =
            "authorization: ApiKey " + SharedApi.newStore().key();

    private static ApplicationContext context;

    @BeforeAll
    static void start() {
        context =
                SharedApi.another(Map.of("gantry.cors-origins", CONSOLE, "gantry.public-url", "https://farm.example"));
    }

    @AfterAll
    static void stop() {
        context.close();
    }

    private static Answer send(String url, String request, String... headers) throws IOException {
        String[] head = new String[headers.length + 2];
        head[0] = request + " HTTP/1.1";
        head[1] = KEY;
        System.arraycopy(headers, 0, head, 2, headers.length);
        try (KeptConnection connection = new KeptConnection(url, "127.0.0.1")) {
            return connection.send(new byte[0], head);
        }
    }

    private static String configured() {
        return context.getBean(EmbeddedServer.class).getURL().toString();
    }

    @Test
    void crossOriginCallsNeedConfiguration() throws IOException {
        String console = "origin: " + CONSOLE;
        assertThat(send(SharedApi.url(), "GET /v1/macros", "host: farm", console)
                        .header(ALLOWED))
                .isNull();
        Answer allowed = send(configured(), "GET /v1/macros", "host: 127.0.0.1", console);
        assertThat(allowed.status()).isEqualTo(200);
        assertThat(allowed.header(ALLOWED)).isEqualTo(CONSOLE);
        assertThat(allowed.header("access-control-allow-credentials")).isNull();
        assertThat(send(configured(), "GET /v1/macros", "host: 127.0.0.1", "origin: https://other.example")
                        .header(ALLOWED))
                .isNull();
        Answer response = send(
                configured(),
                "OPTIONS /v1/macros",
                "host: 127.0.0.1",
                console,
                "access-control-request-method: POST",
                "access-control-request-headers: authorization, content-type");
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.header(ALLOWED)).isEqualTo(CONSOLE);
    }

    @Test
    void onlyLocalAndPublicHostNamesAreServedOnLoopback() throws IOException {
        for (String host : new String[] {"127.0.0.1", "localhost:8080", "[::1]:1", "farm.example"}) {
            assertThat(send(configured(), "GET /v1/macros", "host: " + host).status())
                    .as(host)
                    .isEqualTo(200);
        }
        for (String host : new String[] {"attacker.example", "127.0.0.1.attacker.example", "a@localhost", ""}) {
            assertThat(send(configured(), "GET /v1/macros", "host: " + host).status())
                    .as(host)
                    .isEqualTo(400);
        }
    }

    @Test
    void responseForbidsSniffingFramingAndCaching() throws IOException {
        for (String path : new String[] {"/v1/macros", "/v1/nothing", "/reference", "/v1/web-init"}) {
            Answer answer = send(configured(), "GET " + path, "host: localhost");
            assertThat(answer.header("x-content-type-options")).as(path).isEqualTo("nosniff");
            assertThat(answer.header("content-security-policy")).as(path).contains("frame-ancestors 'none'");
            assertThat(answer.header("cache-control")).as(path).containsAnyOf("no-store", "no-cache");
        }
    }
}
