package farm.gantry.edge;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.link.Credentials;
import farm.gantry.printer.Printer;
import farm.gantry.simulator.bambu.BambuSimulator;
import farm.gantry.simulator.printer.SimulationSpeed;
import farm.gantry.wire.LinkRequest.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Runs the agent as a process and checks its logs and status page. */
@Execution(ExecutionMode.CONCURRENT)
class RunTest {
    private static final String CODE = "the-access-code";

    @TempDir
    Path data;

    @Test
    void revokedAgentLogsTheReasonAndReconnectsAfterPairing() throws Exception {
        try (FakeApi api = new FakeApi()) {
            api.revoke();
            try (ChildAgent _ = ChildAgent.start(api, data, "")) {
                Eventually.until("it is logged", () -> log().contains("token was revoked: pair it again"), this::log);
                api.accept("another-token");
                new Credentials(api.address(), "agent2", "store1", "another-token").writeTo(data);
                Eventually.until("it continues", () -> log().contains("connected to " + api.address()), this::log);
            }
        }
    }

    /** The store moves after the agent got a start and before its acknowledgement arrived. */
    @Test
    void agentFollowsItsStoreAndStartsAPrintOnce() throws Exception {
        try (FakeApi before = new FakeApi();
                FakeApi after = new FakeApi();
                PrinterFixture fixture = PrinterFixture.of(Printer.Provider.firmwareK, PrinterFixture.QUICK)) {
            before.serve(fixture.printer());
            try (ChildAgent _ = ChildAgent.start(before, data, "")) {
                Eventually.until("the printer is idle", () -> "idle".equals(before.status(PrinterFixture.DEVICE)));
                FakeApi.BlockedAnswer start = before.blockNextPoll();
                String command = before.command(PrinterFixture.DEVICE, before.print("j1", 1, PrintFile.cube()));
                start.reached().await();
                before.moveTo(after);
                start.go().countDown();
                Eventually.until("it is completed", () -> after.kinds("j1").contains(Kind.jobCompleted), this::log);
                assertThat(after.acks()).anyMatch(ack -> ack.commandId().equals(command));
                assertThat(after.kinds("j1")).containsOnlyOnce(Kind.jobStarted).containsOnlyOnce(Kind.jobCompleted);
                assertThat(before.kinds("j1")).isEmpty();
                assertThat(Credentials.read(data).orElseThrow().api()).isEqualTo(after.address());
            }
        }
    }

    @Test
    void logsDoNotContainSecrets() throws Exception {
        try (FakeApi api = new FakeApi();
                BambuSimulator printer = new BambuSimulator(0, new SimulationSpeed(1, 1.0), "RUN1", "another-code")) {
            api.serve(FakeApi.vendorA("k1", printer.port(), "RUN1", CODE));
            try (ChildAgent _ = ChildAgent.start(api, data, "")) {
                Eventually.until("the printer turned it away", () -> api.status("k1") != null);
                Eventually.until("it is written down", () -> log().contains("connected to"));
            }
            assertThat(log()).doesNotContain(CODE).doesNotContain(FakeApi.TOKEN);
            assertThat(Files.readString(data.resolve("out.log"))).doesNotContain(CODE);
        }
    }

    @Test
    void statusPageShowsPrintersAndCountsPrints() throws Exception {
        try (FakeApi api = new FakeApi();
                PrinterFixture fixture = PrinterFixture.of(Printer.Provider.firmwareK, PrinterFixture.QUICK)) {
            api.serve(fixture.printer());
            try (ChildAgent _ = ChildAgent.start(api, data, "")) {
                Eventually.until("the printer is idle", () -> "idle".equals(api.status(PrinterFixture.DEVICE)));
                api.command(PrinterFixture.DEVICE, api.print("j1", 1, PrintFile.cube()));
                Eventually.until("it is completed", () -> api.kinds("j1").contains(Kind.jobCompleted));
                assertThat(get("/")).contains("gantry-j1-1-cube_1.gcode").contains("1 prints completed");
                assertThat(get("/metrics").lines())
                        .contains("gantry_link_up 1.0", "gantry_prints_total{end=\"completed\"} 1.0")
                        .anyMatch(line -> line.matches("gantry_printer_messages_total [1-9].*"))
                        .anyMatch(line -> line.matches("gantry_link_sent_bytes_total [1-9].*"));
            }
        }
    }

    private String get(String path) throws IOException, InterruptedException {
        String port = Files.readString(data.resolve("status-port"));
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                    .build();
            return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
        }
    }

    private String log() {
        try {
            Path log = data.resolve("logs").resolve("agent.log");
            return Files.exists(log) ? Files.readString(log) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
