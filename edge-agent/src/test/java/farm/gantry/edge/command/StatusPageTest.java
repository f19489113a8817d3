package farm.gantry.edge.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import farm.gantry.edge.camera.CameraImage;
import farm.gantry.edge.log.LoggedWarning;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.json.Json;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterState;
import farm.gantry.printer.PrinterState.Connection;
import farm.gantry.printer.PrinterState.Fault;
import farm.gantry.printer.PrinterState.Progress;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.printer.PrinterState.Temperature;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatusPageTest {
    private static final Instant T = Instant.parse("2026-11-21T12:00:00Z");
    private static final List<String> CHROMIUM_OPTIONS = List.of(
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--enable-logging=stderr",
            "--virtual-time-budget=2000",
            "--dump-dom");

    private static final byte[] BED = bed();

    private final StatusPage page = StatusPage.open(0, () -> report(true), StatusPageTest::snapshot);

    StatusPageTest() throws IOException {}

    @AfterEach
    void close() {
        page.close();
    }

    /** Returns a report with a printing printer and an unreachable one. */
    static StatusReport report(boolean connected) {
        PrinterState printing = new PrinterState(
                Connection.online,
                null,
                Status.printing,
                new Progress("j1", 1, "gantry-j1-1-motor_block.gcode", 41.4, 9, 30, 300L, 5_460L, null),
                Map.of("bed", new Temperature(59.7, 60), "nozzle", new Temperature(214.6, 215)),
                List.of(),
                List.of(new Fault("0300", "The fan turns slowly")),
                null,
                T);
        PrinterState lost = new PrinterState(
                Connection.offline,
                "reason-with-a-code",
                Status.offline,
                null,
                Map.of(),
                List.of(),
                List.of(),
                null,
                T);
        return new StatusReport(
                "agent1",
                "1.0.0",
                connected ? null : "upgrade the <server>",
                "https://api.example.com",
                connected,
                connected ? "" : "no answer",
                T,
                new StatusReport.AgentTotals(1_234, 5_678, 2, new StatusReport.PrintCounts(7, 1, 2, 0)),
                40,
                List.of(
                        new StatusReport.ServedPrinter("Bay 1", "k1", Printer.Provider.vendorA, true, printing),
                        new StatusReport.ServedPrinter("Bay <2>", "k2", Printer.Provider.ELEGOO_MQTT, true, lost)),
                List.of(new LoggedWarning(T, true, "the script <script>alert(1)</script> is only text")));
    }

    /** Returns a snapshot of k1; k2 is unreachable, k3 has no camera, and other printers are unknown. */
    private static Optional<CameraImage> snapshot(String deviceId) throws IOException, Refusal {
        return switch (deviceId) {
            case "k1" -> Optional.of(CameraImage.of(BED));
            case "k2" -> throw new IOException("it is away");
            case "k3" -> throw new Refusal("it has no camera");
            default -> Optional.empty();
        };
    }

    @ParameterizedTest
    @CsvSource({
        "GET, 127.0.0.1, /, 200",
        "GET, localhost:7433, /status.json, 200",
        "GET, [::1]:7433, /metrics, 200",
        "GET, evil.example.com, /, 403",
        "GET, evil.example.com, /status.json, 403",
        "GET, localhost.evil.example.com, /metrics, 403",
        "GET, 127.0.0.1, /agent.json, 404",
        "POST, 127.0.0.1, /status.json, 405",
        "GET, 127.0.0.1, /printers/k1/snapshot, 200",
        "GET, evil.example.com, /printers/k1/snapshot, 403",
        "GET, 127.0.0.1, /printers/k2/snapshot, 502",
        "GET, 127.0.0.1, /printers/k3/snapshot, 404",
        "GET, 127.0.0.1, /printers/k4/snapshot, 404",
    })
    void responseStatusDependsOnHostMethodAndPath(String method, String host, String path, int status)
            throws IOException {
        assertThat(raw(method, host, path)).startsWith("HTTP/1.1 " + status);
    }

    @Test
    void browserGetsAPlaceholderImageForAMissingSnapshot() throws IOException {
        assertThat(raw("GET", "127.0.0.1\r\nSec-Fetch-Dest: image", "/printers/k3/snapshot"))
                .startsWith("HTTP/1.1 404")
                .contains("image/svg+xml", "No picture");
        assertThat(raw("GET", "127.0.0.1", "/printers/k3/snapshot")).contains("it has no camera");
    }

    @Test
    void statusPagePortInUseIsReported() {
        assertThatThrownBy(() -> StatusPage.open(page.port(), () -> report(true), StatusPageTest::snapshot))
                .hasMessageContaining("port " + page.port() + " of the status page is in use");
    }

    @Test
    void statusIsServedAsJson() throws IOException {
        assertThat(Json.read(body("/status.json"), StatusReport.class)).isEqualTo(report(true));
    }

    @Test
    void metricsAreServedInPrometheusTextFormat() throws IOException {
        assertThat(raw("GET", "127.0.0.1", "/metrics")).contains("text/plain; version=0.0.4");
        assertThat(samples(body("/metrics")))
                .containsEntry("gantry_agent_info{agent=\"agent1\",version=\"1.0.0\"}", 1.0)
                .containsEntry("gantry_link_up", 1.0)
                .containsEntry("gantry_printers{status=\"printing\"}", 1.0)
                .containsEntry("gantry_printers{status=\"offline\"}", 1.0)
                .containsEntry("gantry_printers{status=\"idle\"}", 0.0)
                .containsEntry("gantry_printer_messages_total", 1_234.0)
                .containsEntry("gantry_events_waiting", 2.0)
                .containsEntry("gantry_link_sent_bytes_total", 5_678.0)
                .containsEntry("gantry_prints_total{end=\"completed\"}", 7.0)
                .containsEntry("gantry_prints_total{end=\"refused\"}", 0.0)
                .hasEntrySatisfying(
                        "jvm_memory_used_bytes{area=\"heap\"}",
                        used -> assertThat(used).isPositive());
    }

    @Test
    void pageSaysWhatToUpgrade() {
        assertThat(new StatusHtml(report(false)).toHtml()).contains("upgrade the &lt;server&gt;");
        assertThat(new StatusHtml(report(true)).toHtml()).doesNotContain("upgrade");
    }

    @Test
    void pageRendersInABrowserWithoutExternalResources(@TempDir Path folder) throws Exception {
        RenderedPages shown = browse(folder);
        assertThat(shown.console()).doesNotContain("Content Security Policy").doesNotContain("Uncaught");
        assertThat(shown.page())
                .contains("gantry-j1-1-motor_block.gcode", "layer 9 of 30", "1 h 31 min left", "215 / 215 °C")
                .contains("The fan turns slowly", "Bay &lt;2&gt;", "elegoo-mqtt", "2 events waiting for the API")
                .containsOnlyOnce("<img")
                .contains("src=\"/printers/k1/snapshot\"")
                .doesNotContain("<script", "http-equiv=\"refresh\" content=\"0");
        assertThat(Pattern.compile("(src|href)=\"(https?:)?//")
                        .matcher(shown.page())
                        .find())
                .isFalse();
    }

    /** Returns the value of each sample by its name and labels; fails on any other line that is not a comment. */
    private static Map<String, Double> samples(String text) {
        Pattern sample = Pattern.compile("([a-z_]+(?:\\{[^}]*})?) (\\S+)");
        return text.lines()
                .filter(line -> !line.startsWith("# HELP ") && !line.startsWith("# TYPE "))
                .map(sample::matcher)
                .peek(matcher -> assertThat(matcher.matches()).isTrue())
                .collect(Collectors.toMap(matcher -> matcher.group(1), matcher -> Double.valueOf(matcher.group(2))));
    }

    private String body(String path) throws IOException {
        String answer = raw("GET", "127.0.0.1", path);
        return answer.substring(answer.indexOf("\r\n\r\n") + 4);
    }

    /** Uses a socket, because Java's HTTP client does not allow a custom Host header. */
    private String raw(String method, String host, String path) throws IOException {
        String request = method + " " + path + " HTTP/1.1\r\nHost: " + host
                + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), page.port())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static byte[] bed() {
        try (InputStream picture = StatusPageTest.class.getResourceAsStream("/farm/gantry/simulator/camera/bed.jpg")) {
            return Objects.requireNonNull(picture).readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private record RenderedPages(String page, String console) {}

    private RenderedPages browse(Path folder) throws IOException, InterruptedException {
        Optional<Path> chromium = Stream.of(System.getenv("PATH").split(Pattern.quote(File.pathSeparator), -1))
                .flatMap(place -> Stream.of("chromium", "chromium-browser", "google-chrome")
                        .map(name -> Path.of(place, name)))
                .filter(Files::isExecutable)
                .findFirst();
        assumeTrue(chromium.isPresent(), "no Chromium is installed here");
        List<String> command = new ArrayList<>(List.of(chromium.orElseThrow().toString()));
        command.addAll(CHROMIUM_OPTIONS);
        command.add("--user-data-dir=" + folder.resolve("profile"));
        command.add("http://127.0.0.1:" + page.port() + "/");
        Path shown = folder.resolve("page.html");
        Path console = folder.resolve("console.log");
        Process browser = new ProcessBuilder(command)
                .redirectOutput(shown.toFile())
                .redirectError(console.toFile())
                .start();
        try {
            assertThat(browser.waitFor(5, TimeUnit.MINUTES)).isTrue();
        } finally {
            browser.destroyForcibly();
        }
        return new RenderedPages(Files.readString(shown), Files.readString(console, StandardCharsets.ISO_8859_1));
    }
}
