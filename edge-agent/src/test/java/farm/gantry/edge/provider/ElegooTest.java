package farm.gantry.edge.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.edge.Eventually;
import farm.gantry.edge.PrintFile;
import farm.gantry.edge.PrinterFixture;
import farm.gantry.edge.printer.connection.PrinterConnection;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.job.PrintJob;
import farm.gantry.json.Tree;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterState.FilamentSlot;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.wire.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ElegooTest implements PushSessionContract {
    private static final int MEGABYTE = 1 << 20;

    private final PrinterFixture fixture = PrinterFixture.of(Printer.Provider.ELEGOO_MQTT, PrinterFixture.QUICK);

    @Override
    public PrinterFixture fixture() {
        return fixture;
    }

    @Test
    void lateAnswerToAnEarlierQueryIsIgnored(@TempDir Path folder) throws Exception {
        log().fail("late-answers");
        assertStartUsesAFreshStatus(folder);
    }

    @Test
    void fileRemovalFailsWithoutAConnection() {
        RecordingListener recording = new RecordingListener();
        PrinterConnection connection = provider().connect(printer(), PrinterFixture.HOST, recording);
        try (connection) {
            recording.await(Status.idle);
        }
        Eventually.until("it is refused", () -> isRemovalRefused(connection));
    }

    private static boolean isRemovalRefused(PrinterConnection connection) {
        try {
            connection.removeFile("a.gcode");
            return false;
        } catch (IOException | Refusal e) {
            return true;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void wrongAccessCodeIsReported() {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection _ = provider().connect(printerWithWrongLogin(), PrinterFixture.HOST, recording)) {
            Eventually.until("it is reported", () -> recording.reason().contains("access code"), recording::reason);
        }
    }

    /** The printer accepts four clients, and drops an unresponsive one only after a minute. */
    @Test
    void repeatedReconnectsUseOnlyOneClientOfThePrinter() {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection _ = connect(recording)) {
            for (int i = 0; i < 6; i++) {
                int gaps = recording.gaps();
                log().fail("disconnect");
                Eventually.until(
                        "it is seen again", () -> recording.gaps() > gaps && recording.isSeen(), recording::reason);
                assertThat(recording.reason()).doesNotContain("too many clients");
            }
        }
    }

    @Test
    void clientLimitIsReportedUntilThePrinterAcceptsTheAgent() {
        RecordingListener recording = new RecordingListener();
        log().fail("crowded");
        try (PrinterConnection _ = provider().connect(printer(), PrinterFixture.HOST, recording)) {
            Eventually.until(
                    "it is reported", () -> recording.reason().contains("too many clients"), recording::reason);
            assertThat(recording.isSeen()).isFalse();
            log().recover();
            recording.await(Status.idle);
        }
    }

    @Test
    void missedPauseIsDetectedByTheNextStatusChange(@TempDir Path folder) throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            ProviderContract.begin(connection, folder);
            recording.await(Status.printing);
            log().fail("changes-lost");
            log().fail("filament-runout");
            connection.send(new Command.Send("set-temperature", Map.of("type", "bed", "temperature", 110)));
            recording.await(Status.paused);
        }
    }

    @Test
    void largeFileIsUploadedInParts(@TempDir Path folder) throws Exception {
        byte[] content = new byte[2 * MEGABYTE + 7];
        Path file = Files.write(folder.resolve("large.gcode"), content);
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            connection.upload(file, "", FILE);
        }
        assertThat(log().parts())
                .isEqualTo(List.of(
                        "bytes 0-1048575/2097159", "bytes 1048576-2097151/2097159", "bytes 2097152-2097158/2097159"));
    }

    @Test
    void printIsStartedWithItsFilamentMappingAndOptions(@TempDir Path folder) throws Exception {
        Command.Print print = PrintFile.wish(
                Map.of("do_bed_leveling", false, "enable_timelapse", true),
                Map.of("1", new PrintJob.Slot(0, 2), "0", new PrintJob.Slot(0, 3)));
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            connection.upload(ProviderContract.file(folder), "", FILE);
            connection.start(FILE, print, _ -> {});
        }
        assertThat(log().orders()).singleElement().satisfies(order -> {
            Map<String, Object> config = Tree.object(order, "params", "config");
            assertThat(config).containsEntry("printer_check", false).containsEntry("delay_video", true);
            assertThat(config)
                    .containsEntry(
                            "slot_map",
                            List.of(
                                    Map.of("t", 0, "canvas_id", 0, "tray_id", 3),
                                    Map.of("t", 1, "canvas_id", 0, "tray_id", 2)));
        });
    }

    @Test
    void filamentsInTheUnitAreReported() {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection _ = connect(recording)) {
            Eventually.until(
                    "the unit is seen",
                    () -> recording.shows(reading -> !reading.filamentSlots().isEmpty()));
            assertThat(recording.last().filamentSlots())
                    .contains(new FilamentSlot(0, 1, true, "PETG", "#FFFFFF"))
                    .contains(new FilamentSlot(0, 3, false, null, null));
        }
    }

    @Test
    void snapshotStopsTheVideoStreamAndIsRefusedIfOthersWatch() throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            connection.takeSnapshot();
            Eventually.until("it is let go", () -> !log().isVideoStreaming());
            log().fail("film-to-others");
            assertThatThrownBy(connection::takeSnapshot)
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("busy");
            assertThat(log().isVideoStreaming()).isTrue();
        }
    }

    @Test
    void snapshotWithoutACameraIsRefused() {
        log().fail("no-camera");
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            assertThatThrownBy(connection::takeSnapshot)
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("no camera");
        }
    }

    @Test
    void manualCommandsAreSentToThePrinter() throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            connection.send(new Command.Send("set-fan", Map.of("type", "aux", "speed", 50)));
            connection.send(new Command.Send("led-control", Map.of("light", "light", "state", true)));
            connection.send(new Command.Send("home-axis", Map.of()));
            connection.send(new Command.Send("move-axis", Map.of("axes", Map.of("z", 10))));
        }
        assertThat(log().orders())
                .isEqualTo(List.of(
                        order(1030, Map.of("aux_fan", 128)),
                        order(1029, Map.of("power", 1)),
                        order(1026, Map.of("homed_axes", "xyz")),
                        order(1027, Map.of("axes", "z", "distance", 10))));
    }

    private static Map<String, Object> order(int method, Map<String, Object> params) {
        return Map.of("method", method, "params", params);
    }
}
