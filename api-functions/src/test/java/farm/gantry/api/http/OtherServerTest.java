package farm.gantry.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.KeptConnection;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import farm.gantry.api.fixture.Uploads;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a server that trusts one proxy and accepts one upload at a time, over real connections. */
@Tag("install")
final class OtherServerTest {
    private static final String PROXY = "127.0.0.2";
    private static final String STRANGER = "127.0.0.3";
    private static final String CALLER = "x-forwarded-for: 192.0.2.7";
    private static final Duration WITHIN = Duration.ofSeconds(2);
    private static final SharedApi.Store STORE = SharedApi.newStore();

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
                        "gantry.trusted-proxies",
                        PROXY,
                        "gantry.uploads.max-concurrent",
                        1,
                        "gantry.uploads.throughput-interval",
                        WITHIN.toMillis() + "ms",
                        "gantry.uploads.throughput-min-bytes",
                        1,
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

    private static Answer get(String key, String from, String... headers) throws IOException {
        try (KeptConnection connection = new KeptConnection(url, from)) {
            return connection.send(new byte[0], head("GET /v1/macros", key, headers));
        }
    }

    private static String[] head(String request, String key, String... headers) {
        return Stream.concat(
                        Stream.of(request + " HTTP/1.1", "host: 127.0.0.1", "authorization: ApiKey " + key),
                        Stream.of(headers))
                .toArray(String[]::new);
    }

    @Test
    void allowlistUsesTheAddressForwardedByATrustedProxy() throws IOException {
        String made = String.valueOf(
                Client.of(new Socket(), STORE.key()).post("/v1/api-keys", """
                        {"name": "office", "permissions": ["macro.view"], "ipAllowlist": ["192.0.2.7"]}""").at("key"));
        assertThat(get(made, PROXY, CALLER).status()).isEqualTo(200);
        assertThat(get(made, PROXY, "x-forwarded-for: 192.0.2.7, " + STRANGER).status())
                .isEqualTo(403);
        assertThat(get(made, PROXY).status()).isEqualTo(403);
        assertThat(get(made, STRANGER, CALLER).status()).isEqualTo(403);
    }

    private static String uploadUrl(String from, String... headers) throws IOException {
        try (KeptConnection connection = new KeptConnection(url, from)) {
            Answer signed = connection.send(
                    Client.utf8("{\"filenames\":[\"a.stl\"]}"),
                    head(
                            "POST /v1/storage/signed-upload-urls",
                            STORE.key(),
                            Stream.concat(Stream.of("content-type: application/json"), Stream.of(headers))
                                    .toArray(String[]::new)));
            assertThat(signed.status()).as(signed.text()).isEqualTo(201);
            return String.valueOf(signed.at("signedUrls[0].uploadUrl"));
        }
    }

    @Test
    void uploadUrlUsesTheHostForwardedByATrustedProxy() throws IOException {
        String[] forwarded = {"x-forwarded-host: farm.example", "x-forwarded-proto: https"};
        assertThat(uploadUrl(PROXY, forwarded)).startsWith("https://farm.example/v1/storage/content?");
        assertThat(uploadUrl(STRANGER, forwarded)).startsWith("http://127.0.0.1/v1/storage/content?");
        assertThat(uploadUrl(PROXY)).startsWith("http://127.0.0.1/v1/storage/content?");
    }

    private static String[] upload() throws IOException {
        return new String[] {"PUT " + Uploads.target(uploadUrl(STRANGER)) + " HTTP/1.1", "host: 127.0.0.1"};
    }

    private static Answer uploaded() throws IOException {
        try (KeptConnection connection = new KeptConnection(url, STRANGER)) {
            return connection.send(new byte[100], upload());
        }
    }

    @Test
    void stalledUploadTimesOutAndReleasesItsSlot() throws IOException {
        try (KeptConnection stalled = new KeptConnection(url, STRANGER)) {
            long begun = System.nanoTime();
            stalled.write(Client.utf8(String.join("\r\n", upload()) + "\r\ncontent-length: 200000\r\n\r\n"));
            stalled.write(new byte[100_000]);
            Answer ended = stalled.answer();
            assertThat(ended.status()).as(ended.text()).isEqualTo(408);
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(WITHIN.multipliedBy(40));
            assertThat(stalled.isClosed()).isTrue();
        }
        assertThat(uploaded().status()).isEqualTo(200);
    }
}
