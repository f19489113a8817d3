package farm.gantry.edge.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import farm.gantry.Id;
import farm.gantry.edge.Eventually;
import farm.gantry.edge.PrintFile;
import farm.gantry.edge.PrinterFixture;
import farm.gantry.edge.camera.Ffmpeg;
import farm.gantry.edge.printer.connection.PrinterConnection;
import farm.gantry.edge.printer.connection.PrinterStatus.Ending;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.job.PrintJob;
import farm.gantry.json.Tree;
import farm.gantry.printer.PrinterState.FilamentSlot;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.wire.Command;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BambuLabTest implements PushSessionContract {
    private final String serial = Id.next();
    private final PrinterFixture fixture = PrinterFixture.vendorA(PrinterFixture.QUICK, serial);

    @Override
    public PrinterFixture fixture() {
        return fixture;
    }

    @Test
    void printerThatRequiresSignedCommandsNeedsDeveloperMode(@TempDir Path folder) throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            connection.upload(ProviderContract.file(folder), "", FILE);
            log().fail("signatures");
            assertThatThrownBy(() -> connection.start(FILE, null, _ -> {}))
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("developer mode");
            Eventually.until(
                    "it is reported",
                    () -> recording.shows(reading -> !reading.errors().isEmpty()));
            assertThat(recording.last().errors().getFirst().message()).contains("developer mode");
            assertThat(log().starts()).isEmpty();
        }
    }

    @Test
    void changedCertificateIsReportedAndNoStatusIsRead(@TempDir Path folder) {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection _ =
                provider().withDataFolder(folder).connect(printer(), PrinterFixture.HOST, recording)) {
            recording.await(Status.idle);
            log().fail("other-certificate");
            Eventually.until(
                    "it is reported", () -> recording.reason().contains("another certificate"), recording::reason);
            assertThat(recording.isSeen()).isFalse();
        }
    }

    @Test
    void otherPrinterAtTheAddressIsReportedAndNoStatusIsRead() {
        log().fail("other-printer");
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection _ = provider().connect(printer(), PrinterFixture.HOST, recording)) {
            Eventually.until(
                    "it is reported", () -> recording.reason().contains("not printer " + serial), recording::reason);
            assertThat(recording.isSeen()).isFalse();
        }
    }

    @Test
    void wrongAccessCodeIsReported() {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection _ = provider().connect(printerWithWrongLogin(), PrinterFixture.HOST, recording)) {
            Eventually.until("it is reported", () -> recording.reason().contains("access code"), recording::reason);
        }
    }

    @Test
    void printIsStartedWithItsFilamentMappingAndOptions(@TempDir Path folder) throws Exception {
        Command.Print print = PrintFile.wish(
                Map.of("bed_type", "cool_plate", "enable_timelapse", true), Map.of("0", new PrintJob.Slot(0, 2)));
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            connection.upload(ProviderContract.file(folder), "", FILE);
            connection.start(FILE, print, _ -> {});
        }
        assertThat(log().orders()).singleElement().satisfies(order -> {
            assertThat(Tree.list(order, "ams_mapping")).isEqualTo(List.of(2));
            assertThat(Tree.text(order, "bed_type")).isEqualTo("cool_plate");
            assertThat(Tree.flag(order, "timelapse")).isTrue();
        });
    }

    @Test
    void snapshotIsTakenFromTheVideoStream() throws Exception {
        assumeThat(new Ffmpeg(Ffmpeg.NAME).isInstalled())
                .as("ffmpeg is installed")
                .isTrue();
        log().fail("rtsps");
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            for (int i = 0; i < 2; i++) {
                BufferedImage image = ImageIO.read(
                        new ByteArrayInputStream(connection.takeSnapshot().bytes()));
                assertThat(image.getWidth()).isEqualTo(64);
            }
        }
    }

    @Test
    void snapshotErrorNamesTheDisabledVideoSetting() {
        log().fail("film-off");
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            assertThatThrownBy(connection::takeSnapshot)
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("LAN Mode Liveview");
        }
    }

    @Test
    void missingFfmpegIsReportedWithAnInstallationHint() {
        log().fail("rtsps");
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection =
                provider().withVideoDecoder("/nowhere/ffmpeg").connect(printer(), PrinterFixture.HOST, recording)) {
            recording.await(Status.idle);
            assertThatThrownBy(connection::takeSnapshot)
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("install ffmpeg");
        }
    }

    /** The printer would drop the print if the connection closed while it reads the project. */
    @Test
    void connectionIsKeptWhileThePrinterReadsItsProject(@TempDir Path folder) throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            connection.upload(ProviderContract.file(folder), "", FILE);
            log().fail("parsing");
            assertThatThrownBy(() -> connection.start(FILE, null, _ -> {})).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> connection.send(new Command.Send("led-control", Map.of("state", true))))
                    .isInstanceOf(IOException.class);
            log().recover();
            recording.awaitPrint();
            assertThat(recording.gaps()).isEqualTo(1);
            assertThat(recording.losses()).isZero();
            log().fail("parsing");
            assertThatThrownBy(connection::cancel).isInstanceOf(IOException.class);
            Eventually.until("a print that is on is changed on another line", () -> recording.gaps() > 1);
        }
    }

    /** The printer has a file to print already, and would drop one of the two. */
    @Test
    void startIsRefusedWhileThePrinterReadsItsNextProject(@TempDir Path folder) throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            ProviderContract.begin(connection, folder);
            log().fail("finished");
            recording.await(Status.finished);
            connection.upload(ProviderContract.file(folder), "", OTHER_FILE);
            log().fail("state-lingers");
            log().fail("started-at-screen");
            awaitReadingNext(recording);
            assertThatThrownBy(() -> connection.start(FILE, null, _ -> {}))
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("preparing");
            log().fail("disconnect");
            Eventually.until("it is seen on a new line", () -> recording.gaps() > 1);
            awaitReadingNext(recording);
            log().recover();
            Eventually.until(
                    "it prints that",
                    () -> recording.shows(
                            reading -> reading.fileName().equals(OTHER_FILE) && reading.ending() == null));
        }
        assertThat(log().starts()).isEqualTo(List.of(FILE, OTHER_FILE));
    }

    private static void awaitReadingNext(RecordingListener recording) {
        Eventually.until(
                "it is not at rest, and the print that is over is still known",
                () -> recording.shows(reading -> reading.status() == Status.preparing
                        && reading.ending() == Ending.COMPLETED
                        && reading.fileName().equals(FILE)),
                recording::last);
    }

    @Test
    void startTimeoutAllowsMinutesForReadingTheProject() {
        assertThat(provider().maxTimeUntilShown(Duration.ofSeconds(30))).isGreaterThanOrEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void filamentsInTheUnitAreReported() {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection _ = connect(recording)) {
            assertThat(recording.last().filamentSlots())
                    .contains(new FilamentSlot(0, 2, true, "PETG", "#DE4343FF"))
                    .contains(new FilamentSlot(0, 3, false, null, null));
        }
    }

    @Test
    void filamentSettingOfASlotIsShownByThePrinter() throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            connection.send(place(Map.of("amsId", 0, "slotId", 1, "materialType", "PETG", "color", "#00FF7F")));
            connection.send(place(Map.of("amsId", 0, "slotId", 2)));
            connection.send(place(Map.of("amsId", 255, "slotId", 0, "materialType", "TPU")));
            Eventually.until(
                    "all is shown",
                    () -> recording.shows(reading -> reading.filamentSlots()
                            .containsAll(List.of(
                                    new FilamentSlot(0, 1, true, "PETG", "#00FF7FFF"),
                                    new FilamentSlot(0, 2, true, null, null),
                                    new FilamentSlot(255, 0, true, "TPU", "#FFFFFFFF")))),
                    () -> recording.last().filamentSlots());
            assertThatThrownBy(() -> connection.send(place(Map.of("amsId", 1, "slotId", 0, "materialType", "PLA"))))
                    .isInstanceOf(Refusal.class);
        }
    }

    private static Command.Send place(Map<String, Object> info) {
        return new Command.Send("set-slot-info", Map.of("info", info));
    }
}
