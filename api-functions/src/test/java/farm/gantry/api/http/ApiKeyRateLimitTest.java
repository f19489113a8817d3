package farm.gantry.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.contract.HttpContract;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.Lambda;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import farm.gantry.api.main.function.HttpApiFunction;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the rate limit of a key: here a burst of three requests, then one per minute. */
final class ApiKeyRateLimitTest {
    private static final String PATH = "/v1/macros";

    @TempDir
    static Path folder;

    private static ApplicationContext context;
    private static String url = "";

    @BeforeAll
    static void start() {
        context = ApplicationContext.builder()
                .properties(Map.of(
                        "datasources.default.url",
                        SharedApi.databaseUrl(),
                        "gantry.pepper",
                        SharedApi.PEPPER,
                        "gantry.secret-key",
                        SharedApi.SECRET_KEY,
                        "gantry.files.folder",
                        folder.toString(),
                        "gantry.rate-limit.per-minute",
                        1,
                        "gantry.rate-limit.burst",
                        3,
                        "micronaut.server.port",
                        -1))
                .deduceEnvironment(false)
                .banner(false)
                .start();
        url = context.getBean(EmbeddedServer.class).start().getURL().toString();
    }

    @AfterAll
    static void stop() {
        context.close();
    }

    static List<Host> hosts() {
        return List.of(new Socket(url), new Lambda(new HttpApiFunction(context)));
    }

    private static List<String> told(Answer answer) {
        return List.of(
                String.valueOf(answer.header("ratelimit-limit")),
                String.valueOf(answer.header("ratelimit-remaining")),
                String.valueOf(answer.header("ratelimit-reset")));
    }

    @ParameterizedTest
    @MethodSource("hosts")
    void keyIsLimitedWhenItRequestsTooOften(Host host) {
        Client client = Client.of(host, SharedApi.newStore().key());
        long begun = System.nanoTime();
        assertThat(told(client.get(PATH))).containsExactly("1", "2", "60");
        assertThat(told(client.get(PATH))).startsWith("1", "1");
        assertThat(told(client.get(PATH))).startsWith("1", "0");
        Answer refused = client.post(PATH, HttpContract.MACRO);
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.at("error")).isEqualTo("rate_limited");
        int passed = Math.toIntExact(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun));
        assertThat(Integer.parseInt(String.valueOf(refused.header("retry-after"))))
                .isBetween(59 - passed, 60);
        assertThat(told(refused)).startsWith("1", "0");
        assertThat(Client.of(host, SharedApi.newStore().key()).get(PATH).status())
                .as("another key")
                .isEqualTo(200);
    }

    @ParameterizedTest
    @MethodSource("hosts")
    void keyMayHaveItsOwnLimit(Host host) {
        Client owner = Client.of(new Socket(), SharedApi.newStore().key());
        Answer made = owner.post("/v1/api-keys", "{\"name\":\"busy\",\"fullAccess\":true,\"requestsPerMinute\":30}");
        Client busy = Client.of(host, String.valueOf(made.at("key")));
        assertThat(told(busy.get(PATH))).startsWith("30", "5");
        owner.patch("/v1/api-keys/" + made.at("id"), "{\"requestsPerMinute\":2}");
        busy.get(PATH); // finds that the key has changed
        assertThat(told(busy.get(PATH))).startsWith("2", "0");
        assertThat(busy.get(PATH).status()).isEqualTo(429);
        Answer wrong = owner.post("/v1/api-keys", "{\"name\":\"none\",\"requestsPerMinute\":0}");
        assertThat(wrong.at("details[0].path")).isEqualTo("requestsPerMinute");
    }

    @ParameterizedTest
    @MethodSource("hosts")
    void requestIsCountedAfterAuthenticationAndBeforeAuthorization(Host host) {
        String owner = SharedApi.newStore().key();
        String key = String.valueOf(Client.of(new Socket(), owner)
                .post("/v1/api-keys", "{\"name\":\"powerless\",\"permissions\":[]}")
                .at("key"));
        Client powerless = Client.of(host, key);
        assertThat(List.of(
                        powerless.get(PATH).status(),
                        powerless.get(PATH).status(),
                        powerless.post(PATH, "no json").status(),
                        powerless.post(PATH, "no json").status()))
                .containsExactly(403, 403, 403, 429);
        String otherSecret = owner.substring(0, 30) + (owner.charAt(30) == 'a' ? 'b' : 'a') + owner.substring(31);
        for (int i = 0; i < 5; i++) {
            assertThat(Client.of(host, otherSecret).get(PATH).status()).isEqualTo(401);
        }
        assertThat(told(Client.of(host, owner).get(PATH))).as("by the id alone").startsWith("1", "2");
    }

    @Test
    void requestWithoutAKeyIsNotCounted() {
        Client client = Client.of(new Socket(url));
        for (int i = 0; i < 5; i++) {
            Answer answer = client.get("/v1/hints");
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.header("ratelimit-limit")).isNull();
        }
    }
}
