package farm.gantry.edge.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.edge.Eventually;
import farm.gantry.edge.FakeApi;
import farm.gantry.edge.PrinterFixture;
import farm.gantry.edge.discovery.DiscoveredPrinter;
import farm.gantry.edge.discovery.Discovery;
import farm.gantry.edge.discovery.RepeatedDiscovery;
import farm.gantry.edge.printer.connection.PrinterConnection;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.connection.PrinterStatus.Ending;
import farm.gantry.edge.printer.connection.Provider;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.simulator.network.DiscoveryResponder;
import farm.gantry.simulator.network.PrinterSimulator;
import farm.gantry.simulator.octoprint.OctoPrintSimulator;
import farm.gantry.wire.Command;
import farm.gantry.wire.LinkResponse.PrinterConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OctoPrintTest implements PollSessionContract {
    private final PrinterFixture fixture = PrinterFixture.of(Printer.Provider.vendorB, PrinterFixture.QUICK);

    @Override
    public PrinterFixture fixture() {
        return fixture;
    }

    /** One more for OctoPrint's events, or before it for the login to them: OctoPrint runs on a computer. */
    @Override
    public int maxConnections() {
        return CONNECTIONS + 1;
    }

    /** The address may be reassigned to another OctoPrint with the same API key. */
    @Test
    void otherOctoPrintIsReportedAndStartsNothingUntilAPersonAcceptsIt(@TempDir Path known) throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection =
                provider().withDataFolder(known).connect(printer(), PrinterFixture.HOST, recording)) {
            recording.await(Status.idle);
            connection.upload(ProviderContract.file(known), "", FILE);
            assertNoOtherMachineIsServed(connection, recording);
            Files.delete(known.resolve("vendorB").resolve(printer().deviceId() + ".uuid"));
            Eventually.until("it is seen", recording::isSeen, recording::reason);
        }
    }

    @Test
    void octoPrintWithoutAnIdIsServedUnlessItOnceReportedOne(@TempDir Path known) {
        Provider make = provider().withDataFolder(known);
        log().fail("nameless");
        RecordingListener nameless = new RecordingListener();
        try (PrinterConnection _ = make.connect(printer(), PrinterFixture.HOST, nameless)) {
            nameless.await(Status.idle);
        }
        log().recover();
        RecordingListener named = new RecordingListener();
        try (PrinterConnection _ = make.connect(printer(), PrinterFixture.HOST, named)) {
            named.await(Status.idle);
        }
        log().fail("nameless");
        RecordingListener other = new RecordingListener();
        try (PrinterConnection _ = make.connect(printer(), PrinterFixture.HOST, other)) {
            Eventually.until("it is reported", () -> other.reason().contains("another machine"), other::reason);
            assertThat(other.isSeen()).isFalse();
        }
    }

    private PrinterConfig neverPolled() {
        return FakeApi.vendorB(
                PrinterFixture.DEVICE, fixture.port(), PrinterFixture.KEY, ProviderContract.NO_POLLING_MILLIS, false);
    }

    @Test
    void eventsOfOctoPrintAreFollowedByAPollAtOnce(@TempDir Path folder) throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = provider().connect(neverPolled(), PrinterFixture.HOST, recording)) {
            recording.await(Status.idle);
            Eventually.until("events are sent", () -> log().isSendingEvents());
            ProviderContract.upload(connection, folder);
            log().fail("started-at-screen");
            recording.awaitPrint();
            log().fail("finished");
            recording.await(Status.finished);
        }
    }

    @Test
    void rejectedApiKeyIsReportedWithItsReason() {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection _ = provider().connect(printerWithWrongLogin(), PrinterFixture.HOST, recording)) {
            Eventually.until("it is reported", () -> recording.losses() > 0);
            assertThat(recording.reason()).contains("rejects the API key", "Invalid API key");
        }
    }

    /** Removing it would change OctoPrint's print count as if somebody had printed. */
    @Test
    void fileOfTheLastPrintIsNotRemoved(@TempDir Path folder) throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            ProviderContract.begin(connection, folder);
            recording.awaitPrint();
            log().fail("finished");
            recording.await(Status.finished);
            log().fail("reboot");
            Eventually.until(
                    "it shows no file",
                    () -> recording.shows(reading -> reading.fileName().isEmpty()));
            assertThatThrownBy(() -> connection.removeFile(FILE))
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("of the last print");
        }
        assertThat(log().files()).isEqualTo(List.of(FILE));
    }

    @Test
    void printerUnpluggedFromOctoPrintIsOffline() {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            log().fail("unplugged");
            Eventually.until("the loss is reported", () -> recording.losses() > 0);
            assertThat(recording.reason()).contains("no connection to the printer", "Offline");
            assertThatThrownBy(() -> connection.start(FILE, null, _ -> {})).isInstanceOf(Refusal.class);
            log().recover();
            Eventually.until("it is seen again", recording::isSeen);
        }
    }

    @Test
    void printerSwitchedOnAfterOctoPrintIsConnected() {
        log().fail("unplugged");
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection _ = provider().connect(printer(), PrinterFixture.HOST, recording)) {
            Eventually.until("it is offline", () -> recording.reason().contains("Offline"), recording::reason);
            log().fail("plugged-in");
            recording.await(Status.idle);
        }
    }

    @Test
    void connectionClosedByAPersonIsNotReopened() {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection _ = connect(recording)) {
            log().fail("disconnected");
            awaitFailedPolls(recording, 1);
            log().fail("unplugged");
            awaitFailedPolls(recording, 1);
            log().fail("plugged-in");
            awaitFailedPolls(recording, 2);
            assertThat(recording.isSeen()).isFalse();
        }
    }

    /** Waits for this many more failed polls; a second one certainly began after the last fault. */
    private static void awaitFailedPolls(RecordingListener recording, int times) {
        int losses = recording.losses();
        Eventually.until("it is looked again", () -> recording.losses() >= losses + times);
    }

    @Test
    void printerDisconnectedBeforeTheAgentStartedStaysDisconnected() {
        log().fail("disconnected");
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection _ = provider().connect(printer(), PrinterFixture.HOST, recording)) {
            awaitFailedPolls(recording, 2);
            assertThat(recording.isSeen()).isFalse();
        }
    }

    @Test
    void lightIsSwitchedByItsBinding() throws Exception {
        PrinterConfig usual = printer();
        PrinterConfig bound = new PrinterConfig(
                usual.printerId(),
                usual.deviceId(),
                usual.name(),
                usual.provider(),
                usual.metadata(),
                null,
                null,
                null,
                Map.of("vendorB", Map.of("components", Map.of("case", Map.of("gcode", "M355 S{value} P{level}")))));
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = provider().connect(bound, PrinterFixture.HOST, recording)) {
            recording.await(Status.idle);
            connection.send(new Command.Send("led-control", Map.of("light", "case", "state", true)));
            connection.send(new Command.Send("led-control", Map.of("light", "case", "state", "off")));
        }
        assertThat(log().scripts()).isEqualTo(List.of("M355 S1 P255", "M355 S0 P0"));
    }

    @Test
    void firstSelfSignedCertificateIsPinnedAndOthersAreRejected(@TempDir Path folder) throws Exception {
        PrinterConfig config = FakeApi.vendorB(
                PrinterFixture.DEVICE, fixture.port(), PrinterFixture.KEY, FakeApi.POLL_INTERVAL_MILLIS, true);
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection =
                provider().withDataFolder(folder).connect(config, PrinterFixture.HOST, recording)) {
            recording.await(Status.idle);
            ProviderContract.begin(connection, folder);
            assertThat(log().starts()).isEqualTo(List.of(FILE));
            log().fail("other-certificate");
            Eventually.until(
                    "it is reported", () -> recording.reason().contains("another certificate"), recording::reason);
            assertThat(recording.isSeen()).isFalse();
        }
    }

    @Test
    void printEndIsReportedDuringAnUpload(@TempDir Path folder) throws Exception {
        RecordingListener recording = new RecordingListener();
        PrinterConfig printer = FakeApi.vendorB(
                PrinterFixture.DEVICE, fixture.port(), PrinterFixture.KEY, ProviderContract.NO_POLLING_MILLIS, false);
        try (PrinterConnection connection = provider().connect(printer, PrinterFixture.HOST, recording)) {
            recording.await(Status.idle);
            log().fail("started-at-screen");
            log().fail("finished");
            connection.upload(ProviderContract.file(folder), "", FILE);
            assertThat(recording.last().ending()).isEqualTo(Ending.COMPLETED);
        }
    }

    @Test
    void cancelDoesNotAffectAnUnobservedForeignPrint(@TempDir Path folder) throws Exception {
        RecordingListener recording = new RecordingListener();
        log().fail(PrinterSimulator.CHANGES_NOT_SENT);
        try (PrinterConnection connection = provider().connect(neverPolled(), PrinterFixture.HOST, recording)) {
            recording.await(Status.idle);
            Path file = ProviderContract.file(folder);
            connection.upload(file, "", FILE);
            connection.upload(file, "", "somebodys.gcode");
            connection.start(FILE, null, _ -> {});
            ProviderContract.resync(connection);
            Eventually.until(
                    "the print is seen",
                    () -> recording.shows(reading -> reading.fileName().equals(FILE)));
            log().fail("finished");
            log().fail("started-at-screen");
            assertThatThrownBy(connection::cancel)
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("no longer has this job");
            connection.cancel();
            ProviderContract.resync(connection);
            recording.await(Status.cancelled);
            assertThat(recording.last().fileName()).isEqualTo("somebodys.gcode");
        }
    }

    @Test
    void printCancelledByAPrinterErrorIsReportedAsFailed(@TempDir Path folder) throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            ProviderContract.begin(connection, folder);
            recording.awaitPrint();
            log().fail("firmware-error");
            recording.await(Status.failed);
            assertThat(recording.last().ending()).isEqualTo(Ending.FAILED);
            assertThat(recording.last().message()).contains("Heating failed");
            ProviderContract.resync(connection);
            assertThat(recording.last().ending()).as("later").isEqualTo(Ending.FAILED);
            assertThat(recording.last().message()).as("later").contains("Heating failed");
            assertThat(connection.findRecordedEnding(FILE)).hasValueSatisfying(end -> {
                assertThat(end.ending()).isEqualTo(Ending.FAILED);
                assertThat(end.reason()).contains("Heating failed");
            });
        }
    }

    @Test
    void emergencyStopDoesNotWaitForARunningCommand() throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            log().fail("hung");
            Thread restart = Thread.ofVirtual().start(() -> restart(connection));
            Eventually.until(
                    "the restart holds the line",
                    () -> restart.getState() == Thread.State.WAITING
                            || restart.getState() == Thread.State.TIMED_WAITING);
            connection.send(new Command.Send(PrinterConnection.EMERGENCY_STOP, Map.of()));
            assertThat(restart.isAlive()).isTrue();
            assertThat(log().scripts()).isEqualTo(List.of("M112"));
            restart.join();
        }
    }

    private static void restart(PrinterConnection connection) {
        try {
            connection.send(new Command.Send(PrinterConnection.FIRMWARE_RESTART, Map.of()));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void firmwareRestartRevivesAHungPrinter(@TempDir Path folder) throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            ProviderContract.begin(connection, folder);
            recording.awaitPrint();
            log().fail("hung");
            connection.send(new Command.Send(PrinterConnection.FIRMWARE_RESTART, Map.of()));
            Eventually.until("it is well", () -> recording.shows(PrinterStatus::isStartable), () -> recording.reason());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"disconnected", "disconnected-when-asked"})
    void printFailsIfAPersonClosesTheConnection(String fault, @TempDir Path folder) throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            ProviderContract.begin(connection, folder);
            recording.awaitPrint();
            log().fail(fault);
            Eventually.until("its end is reported", () -> !recording.ends().isEmpty());
            Eventually.until("the loss is reported", () -> recording.losses() > 0);
        }
        assertThat(recording.ends()).singleElement().satisfies(end -> {
            assertThat(end.ending()).isEqualTo(Ending.FAILED);
            assertThat(end.fileName()).isEqualTo(FILE);
            assertThat(end.message()).contains("closed its connection").doesNotContain("does not report");
        });
    }

    @Test
    void pausedPrintFailsIfTheConnectionIsClosed(@TempDir Path folder) throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            ProviderContract.begin(connection, folder);
            recording.awaitPrint();
            connection.pause();
            recording.await(Status.paused);
            log().fail("disconnected");
            Eventually.until("its end is reported", () -> !recording.ends().isEmpty());
        }
        assertThat(recording.ends()).singleElement().satisfies(end -> {
            assertThat(end.ending()).isEqualTo(Ending.FAILED);
            assertThat(end.message()).contains("check the bed");
        });
    }

    /** The connection is closed before the next poll, or in the middle of it. */
    @ParameterizedTest
    @ValueSource(strings = {"disconnected", "disconnected-when-asked"})
    void printCompletedBeforeADisconnectIsReportedAsCompleted(String fault, @TempDir Path folder) throws Exception {
        RecordingListener recording = new RecordingListener();
        log().fail(PrinterSimulator.CHANGES_NOT_SENT);
        try (PrinterConnection connection = provider().connect(neverPolled(), PrinterFixture.HOST, recording)) {
            recording.await(Status.idle);
            ProviderContract.begin(connection, folder);
            ProviderContract.resync(connection);
            recording.awaitPrint();
            log().fail("finished");
            log().fail(fault);
            ProviderContract.resync(connection);
            Eventually.until("its end is reported", () -> !recording.ends().isEmpty());
        }
        assertThat(recording.ends())
                .singleElement()
                .satisfies(end -> assertThat(end.ending()).isEqualTo(Ending.COMPLETED));
    }

    @Test
    void printCancelledByAPersonIsRecalledAsCancelled(@TempDir Path folder) throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            ProviderContract.begin(connection, folder);
            log().fail("cancelled-at-screen");
            assertThat(connection.findRecordedEnding(FILE))
                    .contains(PrinterConnection.RecordedEnding.of(Ending.CANCELLED));
            log().fail("disconnected");
            assertThat(connection.findRecordedEnding(FILE))
                    .contains(PrinterConnection.RecordedEnding.of(Ending.FAILED));
        }
    }

    @Test
    void octoPrintIsDiscoveredByUpnp() throws Exception {
        try (OctoPrintSimulator simulator = new OctoPrintSimulator(0, PrinterFixture.QUICK, PrinterFixture.KEY);
                DiscoveryResponder device = simulator.upnpResponder()) {
            List<Discovery> ways = provider().discoveries();
            assertThat(RepeatedDiscovery.in(ways.getLast().withTarget(device.address())))
                    .containsOnly(new DiscoveredPrinter(
                            Printer.Provider.vendorB, "OctoPrint", "127.0.0.1", simulator.port(), "5d6f0c2a-0001", ""));
        }
    }

    @Test
    void unsupportedFileIsRefusedAndAFileInUseFailsTemporarily(@TempDir Path folder) throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            Path file = ProviderContract.file(folder);
            assertThatThrownBy(() -> connection.upload(file, "", "cube.step"))
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("invalid type");
            connection.upload(file, "", FILE);
            connection.start(FILE, null, _ -> {});
            assertThatThrownBy(() -> connection.upload(file, "", FILE))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("currently being printed");
        }
    }

    @Test
    void manualCommandsArriveInOrder() throws Exception {
        List<Command.Send> commands = List.of(
                new Command.Send("gcode", Map.of("lines", "M117 a\nM117 b\n")),
                new Command.Send("gcode", Map.of("lines", List.of("G28", "G1 X1"))),
                new Command.Send("set-fan", Map.of("type", "part", "speed", 50)),
                new Command.Send("set-temperature", Map.of("type", "nozzle", "temperature", 205)),
                new Command.Send("set-temperature", Map.of("type", "nozzle", "extruderIndex", 1, "temperature", 60)),
                new Command.Send("home-axis", Map.of("axes", "XY")),
                new Command.Send("home-axis", Map.of()),
                new Command.Send("move-axis", Map.of("axes", Map.of("X", 10, "z", -2.5))),
                new Command.Send("select-tool", Map.of("toolIndex", 1)),
                new Command.Send("extrude-filament", Map.of("amount", 5)));
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            for (Command.Send command : commands) {
                connection.send(command);
            }
        }
        assertThat(log().scripts())
                .isEqualTo(List.of(
                        "M117 a",
                        "M117 b",
                        "G28",
                        "G1 X1",
                        "M106 S128",
                        "M104 T0 S205.0",
                        "M104 T1 S60.0",
                        "G28 x y",
                        "G28 x y z",
                        "G1 x10 z-2.5",
                        "T1",
                        "G1 E5.0"));
    }

    @Override
    public List<Command.Send> unsupportedCommands() {
        return List.of(
                new Command.Send("led-control", Map.of("light", "a", "state", true)),
                new Command.Send("set-fan", Map.of("type", "chamber", "speed", 50)),
                new Command.Send("set-temperature", Map.of("type", "spoon", "temperature", 50)),
                new Command.Send("set-temperature", Map.of("type", "bed", "temperature", "hot")),
                new Command.Send("home-axis", Map.of("axes", "XW")),
                new Command.Send("move-axis", Map.of("axes", Map.of("x", "far"))));
    }
}
