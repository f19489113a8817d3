package farm.gantry.edge.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import farm.gantry.edge.Eventually;
import farm.gantry.edge.PrintFile;
import farm.gantry.edge.PrinterFixture;
import farm.gantry.edge.camera.Ffmpeg;
import farm.gantry.edge.printer.connection.PrinterConnection;
import farm.gantry.edge.printer.connection.Provider;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.job.PrintJob;
import farm.gantry.json.Tree;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterState.FilamentSlot;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.wire.Command;
import farm.gantry.wire.LinkResponse.PrinterConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AnycubicTest implements PushSessionContract {
    private final PrinterFixture fixture = PrinterFixture.of(Printer.Provider.anycubic, PrinterFixture.QUICK);

    /** The folder of pinned printer identities. */
    @TempDir
    Path known;

    @Override
    public PrinterFixture fixture() {
        return fixture;
    }

    @Override
    public Provider provider() {
        return Providers.of(printer()).withDataFolder(known);
    }

    @Override
    public boolean canTakeSnapshots() {
        return new Ffmpeg(Ffmpeg.NAME).isInstalled();
    }

    /** Anycubic has no configured key, so the simulator refuses its own login. */
    @Override
    public PrinterConfig printerWithWrongLogin() {
        log().fail("login-refused");
        return printer();
    }

    @Test
    void lateAnswerToAnEarlierQueryIsIgnored(@TempDir Path folder) throws Exception {
        log().fail("late-answers");
        assertStartUsesAFreshStatus(folder);
    }

    @Test
    void printerInCloudModeIsOfflineUntilLanModeIsEnabled() {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection _ = connect(recording)) {
            log().fail("cloud-mode");
            Eventually.until("it is reported", () -> recording.reason().contains("cloud mode"), recording::reason);
            assertThat(recording.isSeen()).isFalse();
            log().recover();
            Eventually.until("it is seen", recording::isSeen, recording::reason);
        }
    }

    @Test
    void refusedConnectionIsReportedAsLanModeOff() {
        fixture.close();
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection _ = provider().connect(printer(), PrinterFixture.HOST, recording)) {
            Eventually.until(
                    "it is reported", () -> recording.reason().contains("refuses connections"), recording::reason);
            assertThat(recording.reason()).contains("LAN mode is off").doesNotContain("cloud");
        }
    }

    @Test
    void changedCertificateIsReportedAndNoStatusIsRead() {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection _ = connect(recording)) {
            log().fail("other-certificate");
            Eventually.until(
                    "it is reported", () -> recording.reason().contains("another certificate"), recording::reason);
            assertThat(recording.isSeen()).isFalse();
        }
    }

    /** The address may be reassigned to another printer with the same certificate. */
    @Test
    void otherMachineIsReportedAndNotReadUntilAPersonAcceptsIt() throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            connection.upload(ProviderContract.file(known), "", FILE);
            assertNoOtherMachineIsServed(connection, recording);
            log().recover();
            Eventually.until("the one before is seen", recording::isSeen, recording::reason);
        }
    }

    @Test
    void filamentsInTheMultiColorBoxAreReported() {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection _ = connect(recording)) {
            Eventually.until(
                    "the box is seen",
                    () -> recording.shows(reading -> !reading.filamentSlots().isEmpty()));
            assertThat(recording.last().filamentSlots())
                    .containsExactly(
                            new FilamentSlot(0, 0, true, "PLA", "#FFFFFF"),
                            new FilamentSlot(0, 1, true, "PETG", "#212721"),
                            new FilamentSlot(0, 2, false, null, null));
        }
    }

    @Test
    void videoStreamIsStoppedAfterASnapshot() throws Exception {
        assumeThat(canTakeSnapshots()).as("ffmpeg is installed").isTrue();
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            connection.takeSnapshot();
            Eventually.until("it is let go", () -> !log().isVideoStreaming());
        }
    }

    @Test
    void videoIsNotStartedIfFfmpegIsMissing() {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection =
                provider().withVideoDecoder("/nowhere/ffmpeg").connect(printer(), PrinterFixture.HOST, recording)) {
            recording.await(Status.idle);
            assertThatThrownBy(connection::takeSnapshot)
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("install ffmpeg");
            assertThat(log().isVideoStreaming()).isFalse();
        }
    }

    @Test
    void manualCommandsAreSentToThePrinter() throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            connection.send(new Command.Send("set-fan", Map.of("type", "part", "speed", 50)));
            connection.send(new Command.Send("set-fan", Map.of("type", "chamberFan", "speed", 30)));
            connection.send(new Command.Send("led-control", Map.of("light", "light", "state", true)));
            connection.send(new Command.Send("home-axis", Map.of()));
            connection.send(new Command.Send("home-axis", Map.of("axes", List.of("y", "x"))));
            connection.send(new Command.Send("move-axis", Map.of("axes", Map.of("z", -0.5))));
            Eventually.until("all have come", () -> log().orders().size() == 6);
        }
        assertThat(log().orders())
                .isEqualTo(List.of(
                        order("print", "update", Map.of("taskid", "-1", "settings", Map.of("fan_speed_pct", 50))),
                        order("print", "update", Map.of("taskid", "-1", "settings", Map.of("box_fan_level", 30))),
                        order("light", "control", Map.of("type", 2, "status", 1, "brightness", 100)),
                        order("axis", "move", Map.of("axis", 5, "move_type", 2, "distance", 0)),
                        order("axis", "move", Map.of("axis", 4, "move_type", 2, "distance", 0)),
                        order("axis", "move", Map.of("axis", 3, "move_type", 0, "distance", 0.5))));
    }

    @Test
    void axesAreNotMovedDuringAPrint(@TempDir Path folder) throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            ProviderContract.begin(connection, folder);
            assertThatThrownBy(() -> connection.send(new Command.Send("home-axis", Map.of())))
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("must not be moved");
        }
    }

    @Override
    public List<Command.Send> unsupportedCommands() {
        return List.of(
                new Command.Send("home-axis", Map.of("axes", List.of("x"))),
                new Command.Send("move-axis", Map.of("axes", Map.of("x", 1, "y", 1))),
                new Command.Send("set-fan", Map.of("type", "hotend", "speed", 50)));
    }

    @Test
    void printIsStartedWithItsFilamentMapping(@TempDir Path folder) throws Exception {
        Map<String, PrintJob.Slot> places = Map.of("2", new PrintJob.Slot(0, 1), "0", new PrintJob.Slot(0, 0));
        Map<String, Object> settings = settings(folder, PrintFile.wish(Map.of(), places));
        assertThat(settings)
                .isEqualTo(Map.of(
                        "use_ams",
                        true,
                        "ams_box_mapping",
                        List.of(
                                filament(0, 0, "PLA", List.of(255, 255, 255, 255)),
                                filament(2, 1, "PETG", List.of(33, 39, 33, 255)))));
    }

    @Test
    void printFromTheSpoolHolderDoesNotUseTheBox(@TempDir Path folder) throws Exception {
        assertThat(settings(folder, PrintFile.wish(Map.of("use_ams", false), null)))
                .isEqualTo(Map.of("use_ams", false, "ams_box_mapping", List.of()));
    }

    private Map<String, Object> settings(Path folder, Command.Print print) throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = provider().connect(printer(), PrinterFixture.HOST, recording)) {
            Eventually.until(
                    "the box is seen",
                    () -> recording.shows(reading -> !reading.filamentSlots().isEmpty()));
            connection.upload(ProviderContract.file(folder), "", FILE);
            connection.start(FILE, print, _ -> {});
        }
        return Tree.object(log().orders().getLast(), "data", "ams_settings");
    }

    private static Map<String, Object> filament(int number, int slot, String type, List<Integer> color) {
        return Map.of(
                "paint_index",
                number,
                "ams_index",
                slot,
                "paint_color",
                color,
                "ams_color",
                color,
                "material_type",
                type);
    }

    @Test
    void printFromAnEmptySlotIsRefused(@TempDir Path folder) throws Exception {
        RecordingListener recording = new RecordingListener();
        Command.Print print = PrintFile.wish(Map.of(), Map.of("0", new PrintJob.Slot(0, 2)));
        try (PrinterConnection connection = connect(recording)) {
            connection.upload(ProviderContract.file(folder), "", FILE);
            assertThatThrownBy(() -> connection.start(FILE, print, _ -> {}))
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("no filament in slot 2");
            assertThat(log().starts()).isEmpty();
        }
    }

    private static Map<String, Object> order(String type, String action, Map<String, Object> data) {
        return Map.of("type", type, "action", action, "data", data);
    }
}
