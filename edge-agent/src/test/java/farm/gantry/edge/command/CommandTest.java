package farm.gantry.edge.command;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.FakeApi;
import farm.gantry.edge.camera.Ffmpeg;
import farm.gantry.edge.link.Credentials;
import farm.gantry.edge.log.SecretMask;
import farm.gantry.json.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandTest {
    private static final Ffmpeg DECODER = new Ffmpeg(Ffmpeg.NAME);

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final Path data;
    private final FakeApi api = new FakeApi();

    CommandTest(@TempDir Path folder) throws IOException {
        this.data = folder.resolve("agent");
    }

    @AfterEach
    void close() {
        api.close();
    }

    @Test
    void pairingStoresTheTokenReadableOnlyByItsOwner() throws Exception {
        int code =
                new PairCommand(api.address() + "/", "ABCD-1234", "shelf 1", data, false).run(writer(out), writer(err));
        assertThat(code).isZero();
        assertThat(Credentials.read(data)).contains(new Credentials(api.address(), "agent1", "store1", FakeApi.TOKEN));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.resolve("agent.json"))))
                .isEqualTo("rw-------");
        assertThat(out.toString()).contains("shelf 1").doesNotContain(FakeApi.TOKEN);
    }

    @Test
    void jsonOutputOfPairingOmitsTheToken() throws Exception {
        int code = new PairCommand(api.address(), "ABCD-1234", "shelf 1", data, true).run(writer(out), writer(err));
        assertThat(code).isZero();
        assertThat(Json.tree(out.toString()))
                .isEqualTo(Map.of("agentId", "agent1", "storeId", "store1", "name", "shelf 1", "api", api.address()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"abcd-1234", "ABCD1234", " abcd 1234 "})
    void pairingCodeIsAcceptedInLowerCaseAndWithoutDash(String code) throws Exception {
        assertThat(new PairCommand(api.address(), code, "shelf 1", data, false).run(writer(out), writer(err)))
                .as(err.toString())
                .isZero();
    }

    @Test
    void startCommandUsesSystemdIfThePackageIsInstalled(@TempDir Path folder) throws Exception {
        Path unit = Files.createFile(folder.resolve("gantry-agent.service"));
        SystemdService service = new SystemdService(unit, folder);
        assertThat(service.startCommand(folder)).isEqualTo("sudo systemctl start gantry-agent");
        assertThat(service.startCommand(data)).isEqualTo("gantry-agent run --data " + data);
        Files.delete(unit);
        assertThat(service.startCommand(folder)).isEqualTo("gantry-agent run --data " + folder);
    }

    @Test
    void wrongPairingCodeIsReported() throws Exception {
        int code = new PairCommand(api.address(), "WRONG", "a", data, false).run(writer(out), writer(err));
        assertThat(code).isEqualTo(1);
        assertThat(err.toString()).contains("Create a new one");
        assertThat(data).doesNotExist();
    }

    @Test
    void unpairedAgentDoesNotRunAndExplainsPairing() throws Exception {
        int code = new RunCommand(data, 0, Duration.ofSeconds(1), 1, Ffmpeg.NAME, Set.of(), null)
                .run(writer(out), writer(err));
        assertThat(code).isEqualTo(1);
        assertThat(err.toString()).contains("gantry-agent pair");
    }

    @Test
    void doctorReportsProblemsWithRemedies() throws Exception {
        int ill = new DoctorCommand(data, DECODER, false).run(writer(out), writer(err));
        assertThat(ill).isEqualTo(1);
        assertThat(out.toString()).contains("ok    data folder").contains("FAIL  paired: make a pairing code");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data)))
                .isEqualTo("rwx------");
    }

    @Test
    void doctorNotesAMissingOptionalProgram() throws Exception {
        new DoctorCommand(data, new Ffmpeg("/nowhere/ffmpeg"), false).run(writer(out), writer(err));
        assertThat(out.toString()).containsPattern("(?m)^note  no snapshots from cameras.*: install ffmpeg");
    }

    @Test
    void doctorReportsThatTheApiIsReachable() throws Exception {
        new PairCommand(api.address(), "ABCD-1234", "a", data, false).run(writer(out), writer(err));
        new DoctorCommand(data, DECODER, false).run(writer(out), writer(err));
        assertThat(out.toString()).contains("ok    API at " + api.address()).contains("FAIL  agent running");
    }

    @Test
    void printersAreListedFromTheSavedConfigurationIfNoAgentRuns() throws Exception {
        int code = new PrintersCommand(data, false).run(writer(out), writer(err));
        assertThat(code).isZero();
        assertThat(err.toString()).contains("No agent runs");
    }

    @Test
    void runningAgentIsQueriedThroughItsStatusPage() throws Exception {
        StatusReport report = StatusPageTest.report(true);
        try (StatusPage page = StatusPage.open(0, () -> report, _ -> Optional.empty())) {
            runs(page);
            assertThat(new RunningAgentClient(data).fetchReport()).contains(report);
            assertThat(new PrintersCommand(data, true).run(writer(out), writer(err)))
                    .isZero();
            assertThat(Json.list(out.toString(), StatusReport.ServedPrinter.class))
                    .isEqualTo(report.printers());
        }
    }

    @Test
    void doctorReadsPrinterStatesFromTheRunningAgent() throws Exception {
        SecretMask.register("reason-with-a-code");
        StatusReport report = StatusPageTest.report(false);
        try (StatusPage page = StatusPage.open(0, () -> report, _ -> Optional.empty())) {
            runs(page);
            assertThat(new DoctorCommand(data, DECODER, true).run(writer(out), writer(err)))
                    .isEqualTo(1);
            List<DoctorCommand.Finding> findings = Json.list(out.toString(), DoctorCommand.Finding.class);
            assertThat(findings)
                    .allMatch(finding -> finding.well() || !finding.remedy().isEmpty());
            assertThat(findings)
                    .filteredOn(finding -> !finding.well())
                    .extracting(DoctorCommand.Finding::line)
                    .anyMatch(line -> line.startsWith("FAIL  link to the API up: no answer"))
                    .anyMatch(line -> line.startsWith("FAIL  printer Bay <2> (k2) reachable: ********; check"));
        }
    }

    @Test
    void doctorAndHealthReadTheRunningAgent() throws Exception {
        assertThat(new HealthCommand(data).run(writer(out), writer(err)))
                .as("no agent runs")
                .isEqualTo(1);
        try (StatusPage page = StatusPage.open(0, () -> StatusPageTest.report(false), _ -> Optional.empty())) {
            runs(page);
            assertThat(new HealthCommand(data).run(writer(out), writer(err)))
                    .as("its link may be down")
                    .isZero();
            new DoctorCommand(data, DECODER, false).run(writer(out), writer(err));
            assertThat(out.toString()).contains("FAIL  versions of server and agent: upgrade the <server>");
        }
    }

    private void runs(StatusPage page) throws IOException {
        Files.createDirectories(data);
        Files.writeString(data.resolve(RunCommand.PORT_FILE), String.valueOf(page.port()));
    }

    private static PrintWriter writer(StringWriter text) {
        return new PrintWriter(text, true);
    }
}
