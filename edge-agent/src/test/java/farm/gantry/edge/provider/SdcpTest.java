package farm.gantry.edge.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.edge.Eventually;
import farm.gantry.edge.PrintFile;
import farm.gantry.edge.PrinterFixture;
import farm.gantry.edge.printer.connection.PrinterConnection;
import farm.gantry.edge.printer.connection.PrinterStatus.Ending;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.json.Tree;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.wire.Command;
import farm.gantry.wire.LinkResponse.PrinterConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SdcpTest implements PushSessionContract {
    private static final int THREE_PIECES = (2 << 20) + 17;

    private final PrinterFixture fixture = PrinterFixture.of(Printer.Provider.sdcp, PrinterFixture.QUICK);

    @Override
    public PrinterFixture fixture() {
        return fixture;
    }

    /** SDCP reports a fault only as the failure of the print. */
    @Override
    public void printerFaultFailsThePrint(@TempDir Path folder) throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            ProviderContract.begin(connection, folder);
            recording.awaitPrint();
            log().fail("mcu-shutdown");
            recording.await(Status.failed);
            assertThat(recording.last().ending()).isEqualTo(Ending.FAILED);
            assertThat(recording.last().message()).isNotEmpty();
        }
    }

    @Override
    public boolean reportsFullStorage() {
        return false;
    }

    @Test
    void anotherPrinterAtTheAddressIsReported() {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection _ = provider().connect(printerWithWrongLogin(), PrinterFixture.HOST, recording)) {
            Eventually.until("it is reported", () -> recording.reason().contains("another printer"), recording::reason);
            assertThat(recording.reason()).contains(PrinterFixture.KEY);
        }
    }

    @Test
    void printerWithoutAConfiguredIdIsPinnedUntilAPersonAcceptsAnother(@TempDir Path known) throws Exception {
        RecordingListener recording = new RecordingListener();
        PrinterConfig printer = fixture.config().apply("");
        try (PrinterConnection connection =
                provider().withDataFolder(known).connect(printer, PrinterFixture.HOST, recording)) {
            recording.await(Status.idle);
            connection.upload(ProviderContract.file(known), "", FILE);
            assertNoOtherMachineIsServed(connection, recording);
            Files.delete(known.resolve("sdcp").resolve(printer.deviceId() + ".mainboard"));
            Eventually.until("it is seen", recording::isSeen, recording::reason);
        }
    }

    @Test
    void interruptedLargeUploadCanBeRepeated(@TempDir Path folder) throws Exception {
        Path file = large(folder);
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            log().fail("second-piece-cut");
            assertThatThrownBy(() -> connection.upload(file, "", FILE)).isInstanceOf(IOException.class);
            Eventually.until("the rest is forgotten", () -> log().orders().size() == 1);
            assertThat(log().uploads()).isEmpty();
            connection.upload(file, "", FILE);
            assertThat(log().uploads()).isEqualTo(List.of(FILE));
            connection.start(FILE, null, _ -> {});
            Eventually.until(
                    "the print shows", () -> recording.last().fileName().equals(FILE));
        }
        assertThat(recording.losses()).isZero();
    }

    private static Path large(Path folder) throws IOException {
        String lines = PrintFile.cube()
                .text()
                .repeat(1 + THREE_PIECES / PrintFile.cube().text().length());
        return Files.writeString(folder.resolve("large.gcode"), lines.substring(0, THREE_PIECES));
    }

    @Test
    void startIsRetriedWhileThePrinterVerifiesItsFileAndStartsOnce(@TempDir Path folder) throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            connection.upload(ProviderContract.file(folder), "", FILE);
            log().fail("looks-through-file");
            connection.start(FILE, null, _ -> {});
            assertThat(log().starts()).isEqualTo(List.of(FILE));
        }
    }

    @Test
    void startIsNotRetriedAfterACancelWhileThePrinterVerifiesItsFile(@TempDir Path folder) throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            connection.upload(ProviderContract.file(folder), "", FILE);
            log().fail("looks-through-file");
            AtomicInteger checks = new AtomicInteger();
            assertThatThrownBy(() -> connection.start(FILE, null, _ -> {
                        if (checks.incrementAndGet() == 2) {
                            throw new Refusal("it was cancelled");
                        }
                    }))
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("it was cancelled");
            assertThat(log().starts()).isEmpty();
        }
    }

    @Test
    void startErrorNamesTheMissingFile() {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            assertThatThrownBy(() -> connection.start("no.gcode", null, _ -> {}))
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("does not find the file");
        }
    }

    @Test
    void printIsStartedWithItsOptions(@TempDir Path folder) throws Exception {
        Map<String, Object> choices = Map.of("do_bed_leveling", true);
        Command.Print print = PrintFile.wish(choices, null);
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            connection.upload(ProviderContract.file(folder), "", FILE);
            connection.start(FILE, print, _ -> {});
        }
        assertThat(log().orders()).singleElement().satisfies(order -> {
            assertThat(Tree.object(order, "Data"))
                    .containsEntry("Filename", "/local/" + FILE)
                    .containsEntry("Calibration_switch", 1)
                    .containsEntry("Tlp_Switch", 0);
        });
    }

    @Test
    void cancelWithoutAPrintIsRefused(@TempDir Path folder) throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            connection.upload(ProviderContract.file(folder), "", FILE);
            assertThatThrownBy(connection::cancel)
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("no longer has this job");
            assertThat(log().orders()).isEmpty();
        }
    }

    @Test
    void snapshotStopsTheVideoStreamAndIsRefusedIfOthersWatch() throws Exception {
        RecordingListener one = new RecordingListener();
        RecordingListener other = new RecordingListener();
        try (PrinterConnection connection = provider().connect(printer(), PrinterFixture.HOST, one);
                PrinterConnection second = provider().connect(printer(), PrinterFixture.HOST, other)) {
            one.await(Status.idle);
            other.await(Status.idle);
            connection.takeSnapshot();
            Eventually.until("it is let go", () -> !log().isVideoStreaming());
            log().fail("film-to-others");
            assertThatThrownBy(second::takeSnapshot)
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("limit of clients");
        }
    }

    @Test
    void manualCommandsAreConvertedToSdcp() throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            connection.send(new Command.Send("set-fan", Map.of("type", "chamber", "speed", 40)));
            connection.send(new Command.Send("led-control", Map.of("light", "light", "state", true)));
            connection.send(new Command.Send("home-axis", Map.of()));
            connection.send(new Command.Send("move-axis", Map.of("axes", Map.of("z", -2.5))));
        }
        assertThat(log().orders())
                .isEqualTo(List.of(
                        Map.of("Cmd", 403, "Data", Map.of("TargetFanSpeed", Map.of("BoxFan", 40))),
                        Map.of(
                                "Cmd",
                                403,
                                "Data",
                                Map.of("LightStatus", Map.of("SecondLight", true, "RgbLight", List.of(0, 0, 0)))),
                        Map.of("Cmd", 402, "Data", Map.of("Axis", "XYZ")),
                        Map.of("Cmd", 401, "Data", Map.of("Axis", "Z", "Step", -2.5))));
    }

    @Test
    void axesAreNotMovedDuringAPrint(@TempDir Path folder) throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            ProviderContract.begin(connection, folder);
            assertThatThrownBy(() -> connection.send(new Command.Send("home-axis", Map.of())))
                    .isInstanceOf(Refusal.class);
        }
    }

    @Override
    public List<Command.Send> unsupportedCommands() {
        return List.of(
                new Command.Send("gcode", Map.of("lines", "G28")),
                new Command.Send("skip-objects", Map.of("objectIds", List.of("1"))),
                new Command.Send("set-fan", Map.of("type", "roof", "speed", 50)),
                new Command.Send("set-temperature", Map.of("type", "chamber", "temperature", 50)),
                new Command.Send("set-temperature", Map.of("type", "nozzle", "temperature", 50, "extruderIndex", 1)),
                new Command.Send("move-axis", Map.of("axes", Map.of("w", 1))));
    }
}
