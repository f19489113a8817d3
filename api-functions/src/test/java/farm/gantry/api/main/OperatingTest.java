package farm.gantry.api.main;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Eventually;
import farm.gantry.api.main.postgres.FreePorts;
import farm.gantry.api.main.process.ChildProcess;
import farm.gantry.version.ProductVersion;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** Tests what operators see of the process: HTTPS, JSON logs, health, metrics and a graceful shutdown. */
@Tag("install")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class OperatingTest {
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    @TempDir
    static Path folder;

    private static ChildProcess process;
    private static Pem pem;
    private static HttpClient http;
    private static int port;
    private static int monitoringPort;
    private static String url = "";
    private static String key = "";

    @BeforeAll
    static void start() throws Exception {
        pem = Pem.in(folder);
        http = HttpClient.newBuilder().sslContext(pem.trust()).build();
        port = FreePorts.choose();
        monitoringPort = FreePorts.choose();
        process = ChildProcess.start(
                "api",
                folder.resolve("logs"),
                List.of("-DGANTRY_LOG=json", "-XX:TieredStopAtLevel=1"),
                ServeCommand.class.getName(),
                List.of(
                        "--data",
                        folder.resolve("data").toString(),
                        "--port",
                        Integer.toString(port),
                        "--set",
                        "gantry.monitoring.port=" + monitoringPort,
                        "--set",
                        "gantry.shutdown-timeout=" + TIMEOUT,
                        "--set",
                        "gantry.tls.certificate=" + pem.certificate(),
                        "--set",
                        "gantry.tls.key=" + pem.key()));
        key = process.awaitLine("key ");
        url = process.awaitLine("url ");
    }

    @AfterAll
    static void stop() {
        process.close();
    }

    private static HttpResponse<String> get(String address) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address))
                .header("authorization", "ApiKey " + key)
                .timeout(TIMEOUT)
                .build();
        return http.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private static HttpResponse<String> monitoring(String path) throws IOException, InterruptedException {
        return get("http://127.0.0.1:" + monitoringPort + path);
    }

    @Test
    @Order(1)
    void apiIsServedByHttpsWithHsts() throws Exception {
        HttpResponse<String> answer = get(url + "/v1/macros");
        assertThat(url).startsWith("https://");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Strict-Transport-Security")).isPresent();
    }

    @Test
    @Order(1)
    void healthAndMetricsAreServedOnlyOnTheirOwnPort() throws Exception {
        assertThat(monitoring("/health/live").statusCode()).isEqualTo(200);
        Eventually.until(
                "it is ready",
                () -> monitoring("/health/ready")
                        .body()
                        .equals("{\"status\": \"up\", \"version\": \"" + ProductVersion.CURRENT + "\"}"));
        for (String path : List.of("/health/live", "/health/ready", "/health", "/metrics", "/prometheus")) {
            assertThat(get(url + path).statusCode()).as(path).isEqualTo(404);
        }
    }

    @Test
    @Order(1)
    void metricsCoverRoutesPoolQueuesAndJobsWithoutStores() throws Exception {
        String id = Answer.tree(get(url + "/v1/api-keys").body().getBytes(StandardCharsets.UTF_8))
                .get(0)
                .get("id")
                .getStringValue();
        String store = Answer.tree(get(url + "/v1/web-init").body().getBytes(StandardCharsets.UTF_8))
                .get("store")
                .get("id")
                .getStringValue();
        assertThat(get(url + "/v1/api-keys/" + id).statusCode()).isEqualTo(200);
        assertThat(get(url + "/v1/nothing/" + id).statusCode()).isEqualTo(404);
        String metrics = monitoring("/metrics").body();
        assertThat(metrics)
                .containsPattern("http_server_requests_seconds_count\\{.*status=\"200\",uri=\"/v1/api-keys/\\{id}\"} 1")
                .contains("hikaricp_connections_active", "jvm_memory_used_bytes", "gantry_job_count")
                .contains(
                        "gantry_queue_count{queue=\"ingest-heavy\"} 0",
                        "gantry_info{version=\"" + ProductVersion.CURRENT)
                .doesNotContain(id, store, key);
    }

    @Test
    @Order(1)
    void dnsRebindingIsRejected() throws Exception {
        try (SSLSocket socket = (SSLSocket) pem.trust().getSocketFactory().createSocket("127.0.0.1", port)) {
            write(
                    socket.getOutputStream(),
                    "GET /v1/web-init HTTP/1.1\r\nHost: attacker.example:" + port + "\r\n" + "authorization: ApiKey "
                            + key + "\r\nconnection: close\r\n\r\n");
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answer).startsWith("HTTP/1.1 400 ").contains("\"error\":\"bad_request\"");
        }
    }

    @Test
    @Order(2)
    void shutdownIsNotReadyThenStopsAcceptingThenFinishesRequests() throws Exception {
        String body = "{\"name\": \"n\", \"gcode\": \"G28\", \"type\": \"purge\", \"compatibilities\": []}";
        try (SSLSocket socket = (SSLSocket) pem.trust().getSocketFactory().createSocket("127.0.0.1", port)) {
            OutputStream out = socket.getOutputStream();
            write(
                    out,
                    "POST /v1/macros HTTP/1.1\r\nHost: 127.0.0.1\r\nauthorization: ApiKey " + key
                            + "\r\ncontent-type: application/json\r\nexpect: 100-continue\r\ncontent-length: "
                            + body.length()
                            + "\r\n\r\n");
            String goAhead = "HTTP/1.1 100 Continue\r\n\r\n";
            assertThat(new String(socket.getInputStream().readNBytes(goAhead.length()), StandardCharsets.UTF_8))
                    .isEqualTo(goAhead);
            write(out, body.substring(0, 20));
            CompletableFuture<ProcessHandle> ended = process.handle().onExit();
            process.handle().destroy();
            Eventually.until(
                    "it is not ready", () -> monitoring("/health/ready").statusCode() != 200);
            Eventually.until("no more work is taken", OperatingTest::isRefused);
            assertThat(monitoring("/health/ready").body()).contains("stopping");
            write(out, body.substring(20));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answer).startsWith("HTTP/1.1 201 ");
            ended.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
            assertThat(process.isAlive()).isFalse();
        }
    }

    @Test
    @Order(3)
    void logLinesAreJsonObjects() throws Exception {
        List<String> lines = Files.readAllLines(process.log()).stream()
                .filter(line -> line.startsWith("{"))
                .toList();
        assertThat(lines).isNotEmpty();
        lines.forEach(line -> assertThat(
                        Answer.tree(line.getBytes(StandardCharsets.UTF_8)).get("level"))
                .isNotNull());
    }

    private static boolean isRefused() throws IOException {
        try (var _ = new java.net.Socket(InetAddress.getLoopbackAddress(), port)) {
            return false;
        } catch (ConnectException e) {
            return true;
        } catch (SocketException e) {
            return false; // one that it had not accepted when it closed
        }
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
