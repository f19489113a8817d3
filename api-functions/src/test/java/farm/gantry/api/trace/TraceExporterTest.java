package farm.gantry.api.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import farm.gantry.StoreId;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Eventually;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import farm.gantry.api.json.JsonCodec;
import farm.gantry.api.queue.WorkLoop;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.ApplicationContext;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the traces of prints with a collector that reads OTLP in JSON. */
final class TraceExporterTest {
    private final Queue<String> keys = new ConcurrentLinkedQueue<>();
    private final Queue<JsonNode> requests = new ConcurrentLinkedQueue<>();
    private final HttpServer collector =
            HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);

    TraceExporterTest() throws IOException {}

    @BeforeEach
    void start() {
        collector.createContext("/otlp/v1/traces", this::collect);
        collector.start();
    }

    @AfterEach
    void stop() {
        collector.stop(0);
    }

    private String endpoint() {
        return "http://127.0.0.1:" + collector.getAddress().getPort() + "/otlp/";
    }

    private static TraceExporter exporter(String endpoint, String headers) {
        return new TraceExporter(
                SharedApi.bean(StatusRows.class),
                SharedApi.bean(JsonCodec.class),
                () -> SharedApi.bean(MeterRegistry.class),
                endpoint,
                headers,
                "gantry");
    }

    private void collect(HttpExchange exchange) throws IOException {
        try (exchange) {
            keys.add(exchange.getRequestHeaders().getFirst("api-key"));
            requests.add(Answer.tree(exchange.getRequestBody().readAllBytes()));
            exchange.sendResponseHeaders(200, -1);
        }
    }

    @Test
    void startedPrintIsOneTraceFromItsBuildToItsStart() {
        try (ApplicationContext install = SharedApi.another(Map.of(
                        "otel.exporter.otlp.endpoint",
                        endpoint(),
                        "otel.exporter.otlp.headers",
                        "api-key=a%20secret,tenant=farm",
                        "otel.service.name",
                        "farm"));
                WorkLoop _ = install.getBean(TraceExporter.class).start().orElseThrow()) {
            FakeAgent agent = new FakeAgent(
                    SharedApi.newStore(),
                    new Socket(install.getBean(EmbeddedServer.class).getURL().toString()));
            String printer = agent.printer("one", "");
            String job = agent.job("");
            agent.round();
            Instant startedAt = Instant.now().plusMillis(1234).truncatedTo(ChronoUnit.MILLIS);
            Instant downloadedAt = startedAt.minusMillis(40);
            agent.happenedAt(
                    startedAt,
                    printer,
                    "jobStarted",
                    job,
                    Map.of(
                            "preparation",
                            Map.of(
                                    "acceptedAt",
                                    startedAt.minusMillis(50).toString(),
                                    "downloadedAt",
                                    downloadedAt.toString())));
            Eventually.until("the trace is sent", () -> !requests.isEmpty());
            assertThat(keys).containsExactly("a secret");
            Map<String, JsonNode> spans = new LinkedHashMap<>();
            requests.element().get("resourceSpans").values().forEach(resource -> {
                String service = attribute(resource.get("resource"), "service.name");
                resource.get("scopeSpans")
                        .get(0)
                        .get("spans")
                        .values()
                        .forEach(span -> spans.put(service + " " + text(span, "name"), span));
            });
            assertThat(spans.keySet())
                    .containsExactly(
                            "farm Pending",
                            "farm Sending-to-printer",
                            "farm report start",
                            "farm print",
                            "farm-agent download");
            JsonNode root = Objects.requireNonNull(spans.get("farm print"));
            JsonNode sending = Objects.requireNonNull(spans.get("farm Sending-to-printer"));
            JsonNode download = Objects.requireNonNull(spans.get("farm-agent download"));
            assertThat(root.get("parentSpanId")).isNull();
            assertThat(attribute(root, "gantry.print_job.id")).isEqualTo(job);
            assertThat(attribute(root, "gantry.printer.id")).isEqualTo(printer);
            assertThat(spans.values()).allSatisfy(span -> {
                assertThat(text(span, "traceId")).matches("[0-9a-f]{32}").isEqualTo(text(root, "traceId"));
                assertThat(text(span, "spanId")).matches("[0-9a-f]{16}");
                assertThat(span.get("kind").getIntValue()).isEqualTo(1);
                assertThat(span.get("status").isObject()).isTrue();
                assertThat(time(span, "startTimeUnixNano")).isBeforeOrEqualTo(time(span, "endTimeUnixNano"));
            });
            assertThat(text(sending, "parentSpanId")).isEqualTo(text(root, "spanId"));
            assertThat(text(download, "parentSpanId")).isEqualTo(text(sending, "spanId"));
            assertThat(time(download, "endTimeUnixNano")).isEqualTo(downloadedAt);
            assertThat(time(sending, "endTimeUnixNano")).isEqualTo(startedAt);
            assertThat(time(root, "startTimeUnixNano"))
                    .as("the time of the build")
                    .isBeforeOrEqualTo(
                            Instant.parse(String.valueOf(agent.stored(job).at("createdAt"))));
        }
    }

    @Test
    void oldestTracesAreDroppedAndCountedWhileTheCollectorIsDown() {
        String down = endpoint();
        collector.stop(0);
        TraceExporter exporter = exporter(down, "");
        StoreId store = SharedApi.newStore().id();
        try (WorkLoop _ = exporter.start().orElseThrow()) {
            for (int i = 0; i < TraceExporter.MAX_WAITING + 3; i++) {
                exporter.add(new StartedPrint(store, "job" + i, 1, "build", "printer", Instant.EPOCH, null));
            }
        }
        assertThat(SharedApi.bean(MeterRegistry.class)
                        .get("gantry.traces")
                        .tag("result", "dropped")
                        .counter()
                        .count())
                .isEqualTo(3);
    }

    @Test
    void nothingIsSentWithoutAnEndpoint() {
        assertThat(exporter("", "").start()).isEmpty();
    }

    @Test
    void wrongVariablesAreNamed() {
        assertThatThrownBy(exporter("localhost:4317", "")::start)
                .hasMessageStartingWith("OTEL_EXPORTER_OTLP_ENDPOINT is 'localhost:4317'");
        assertThatThrownBy(exporter(endpoint(), "secret")::start).hasMessageStartingWith("OTEL_EXPORTER_OTLP_HEADERS");
    }

    private static String text(JsonNode node, String member) {
        return node.get(member).getStringValue();
    }

    private static Instant time(JsonNode span, String member) {
        return Instant.EPOCH.plusNanos(Long.parseLong(text(span, member)));
    }

    private static String attribute(JsonNode node, String key) {
        for (JsonNode attribute : node.get("attributes").values()) {
            if (text(attribute, "key").equals(key)) {
                return text(attribute.get("value"), "stringValue");
            }
        }
        return "(absent)";
    }
}
