package farm.gantry.edge.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import farm.gantry.edge.Eventually;
import farm.gantry.edge.PrintFile;
import farm.gantry.edge.PrinterFixture;
import farm.gantry.edge.SimulatorLog;
import farm.gantry.edge.camera.CameraImage;
import farm.gantry.edge.printer.connection.PrinterConnection;
import farm.gantry.edge.printer.connection.PrinterConnection.Control;
import farm.gantry.edge.printer.connection.PrinterConnection.RecordedEnding;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.connection.PrinterStatus.Ending;
import farm.gantry.edge.printer.connection.Provider;
import farm.gantry.edge.printer.connection.Provider.Ability;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.wire.Command;
import farm.gantry.wire.LinkResponse.PrinterConfig;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.imageio.ImageIO;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The contract of all providers; tests of abilities that a provider does not have are skipped. */
@Execution(ExecutionMode.CONCURRENT)
public interface ProviderContract {
    String FILE = "gantry-j1-1-cube.gcode";
    String OTHER_FILE = "gantry-j2-1-cube.gcode";
    /** A poll interval so long that a printer is queried only for commands, in milliseconds. */
    int NO_POLLING_MILLIS = 3_600_000;

    /** One connection for queries and one for changes; a small printer accepts three in all. */
    int CONNECTIONS = 2;

    /** Returns the fixture with a new, idle printer. */
    PrinterFixture fixture();

    default Provider provider() {
        return Providers.of(printer());
    }

    default PrinterConfig printer() {
        return fixture().printer();
    }

    default PrinterConfig printerWithWrongLogin() {
        return fixture().printerWithWrongLogin();
    }

    /** Connects to the printer and waits until it is reported as idle. */
    default PrinterConnection connect(RecordingListener recording) {
        PrinterConnection connection = provider().connect(printer(), PrinterFixture.HOST, recording);
        recording.await(Status.idle);
        return connection;
    }

    /** Returns how many connections to a printer may be open at one time. */
    default int maxConnections() {
        return CONNECTIONS;
    }

    /** Returns the simulator's log, which also injects faults. */
    default SimulatorLog log() {
        return fixture().log();
    }

    @AfterEach
    default void close() {
        fixture().close();
    }

    @Test
    default void idlePrinterIsReported() {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection _ = connect(recording)) {
            assertThat(recording.last().temperatures()).containsKeys("nozzle", "bed");
        }
    }

    @Test
    default void printIsReportedFromStartToEnd(@TempDir Path folder) throws Exception {
        assumeThat(provider().abilities()).contains(Ability.PRINT);
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            log().fail("bed-unplugged");
            begin(connection, folder);
            recording.await(Status.preparing);
            log().fail("bed-plugged-in");
            recording.await(Status.printing);
            if (provider().abilities().contains(Ability.LAYERS)) {
                Eventually.until("layers are counted", () -> recording.shows(reading -> layer(reading) > 0));
            }
            log().fail("finished");
            recording.await(Status.finished);
            assertThat(recording.last().ending()).isEqualTo(Ending.COMPLETED);
            assertThat(recording.last().file()).satisfies(file -> {
                assertThat(file).isNotNull();
                assertThat(file.name()).isEqualTo(FILE);
                assertThat(file.percent()).isEqualTo(100);
            });
            if (provider().abilities().contains(Ability.RECALL)) {
                assertThat(connection.findRecordedEnding(FILE)).contains(RecordedEnding.of(Ending.COMPLETED));
            }
        }
        assertThat(log().connections()).as("at one time").isLessThanOrEqualTo(maxConnections());
    }

    private static int layer(PrinterStatus reading) {
        PrinterStatus.File file = reading.file();
        return file == null || file.currentLayer() == null ? 0 : file.currentLayer();
    }

    @Test
    default void printIsPausedResumedAndCancelled(@TempDir Path folder) throws Exception {
        assumeThat(provider().abilities()).contains(Ability.PAUSE, Ability.RESUME, Ability.CANCEL);
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            begin(connection, folder);
            recording.await(Status.printing);
            connection.pause();
            recording.await(Status.paused);
            connection.resume();
            Eventually.until("it continues", () -> recording.shows(reading -> reading.status() != Status.paused));
            connection.cancel();
            recording.await(Status.cancelled);
            assertThat(recording.last().ending()).isEqualTo(Ending.CANCELLED);
        }
    }

    @Test
    default void printIsPausedWhilePreparing(@TempDir Path folder) throws Exception {
        assumeThat(provider().abilities()).contains(Ability.PAUSE_WHILE_PREPARING);
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            log().fail("bed-unplugged");
            begin(connection, folder);
            recording.await(Status.preparing);
            connection.pause();
            recording.await(Status.paused);
        }
    }

    @Test
    default void jobControlDoesNotAffectAnotherPrint(@TempDir Path folder) throws Exception {
        assumeThat(provider().abilities()).contains(Ability.PAUSE, Ability.CANCEL);
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            begin(connection, folder);
            recording.await(Status.printing);
            for (Control control : Control.values()) {
                assertThatThrownBy(() -> connection.control(control, now -> {
                            throw new Refusal("it is on " + now.fileName());
                        }))
                        .isInstanceOf(Refusal.class)
                        .hasMessageContaining("it is on " + FILE);
            }
            connection.pause();
            recording.await(Status.paused);
            assertThat(recording.ends()).isEmpty();
        }
    }

    @Test
    default void busyPrinterRefusesAnotherStart(@TempDir Path folder) throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            begin(connection, folder);
            assertThatThrownBy(() -> connection.start(FILE, null, _ -> {})).isInstanceOf(Refusal.class);
            assertThat(log().starts()).isEqualTo(List.of(FILE));
        }
    }

    @Test
    default void startOfAMissingFileIsRefused() {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            assertThatThrownBy(() -> connection.start(FILE, null, _ -> {})).isInstanceOf(Refusal.class);
            assertThat(log().starts()).isEmpty();
        }
    }

    @Test
    default void startIsNotSentIfItsStatusCheckFails(@TempDir Path folder) throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            upload(connection, folder, PrintFile.cube());
            assertThatThrownBy(() -> connection.start(FILE, null, now -> {
                        throw new Refusal("it was cancelled while the printer was " + now.status());
                    }))
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("it was cancelled while the printer was idle");
            assertThat(log().starts()).isEmpty();
        }
    }

    @Test
    default void wrongLoginIsReportedAndNoStatusIsRead() {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection _ = provider().connect(printerWithWrongLogin(), PrinterFixture.HOST, recording)) {
            Eventually.until("it is reported", () -> recording.losses() > 0);
            assertThat(recording.isSeen()).isFalse();
        }
    }

    @Test
    default void interruptedUploadFailsAndCanBeRepeated(@TempDir Path folder) throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            log().fail("upload-cut");
            assertThatThrownBy(() -> upload(connection, folder, PrintFile.cube()))
                    .isInstanceOf(IOException.class);
            upload(connection, folder, PrintFile.cube());
            assertThat(log().starts()).isEmpty();
            connection.start(FILE, null, _ -> {});
            assertThat(log().starts()).isEqualTo(List.of(FILE));
        }
    }

    @Test
    default void unansweredStartIsNotRefusedAndItsPrintIsReported(@TempDir Path folder) throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            upload(connection, folder, PrintFile.lasting());
            log().fail("start-unanswered");
            assertThatThrownBy(() -> connection.start(FILE, null, _ -> {})).isInstanceOf(IOException.class);
            Eventually.until(
                    "the print shows",
                    () -> recording.shows(reading -> reading.fileName().equals(FILE)));
            assertThat(log().starts()).isEqualTo(List.of(FILE));
        }
    }

    @Test
    default void unreachablePrinterRefusesAStart(@TempDir Path folder) throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            upload(connection, folder, PrintFile.cube());
            log().fail("offline");
            Eventually.until("the loss is reported", () -> recording.losses() > 0);
            assertThatThrownBy(() -> connection.start(FILE, null, _ -> {})).isInstanceOf(Refusal.class);
            assertThat(log().starts()).isEmpty();
        }
    }

    @Test
    default void printIsGoneAfterAPrinterRestart(@TempDir Path folder) throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            begin(connection, folder);
            recording.awaitPrint();
            log().fail("reboot");
            Eventually.until(
                    "it is idle and empty",
                    () -> recording.shows(reading -> reading.status() == Status.idle
                            && reading.fileName().isEmpty()));
        }
    }

    @Test
    default void printCancelledAtTheScreenIsReportedAsCancelled(@TempDir Path folder) throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            begin(connection, folder);
            recording.awaitPrint();
            log().fail("cancelled-at-screen");
            recording.await(Status.cancelled);
            assertThat(recording.last().ending()).isEqualTo(Ending.CANCELLED);
            assertThat(recording.last().fileName()).isEqualTo(FILE);
        }
    }

    @Test
    default void printStartedAtTheScreenIsReportedWithItsFileName(@TempDir Path folder) throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            upload(connection, folder, PrintFile.lasting());
            log().fail("started-at-screen");
            recording.awaitPrint();
            assertThat(recording.last().fileName()).isEqualTo(FILE);
            assertThatThrownBy(() -> connection.start(FILE, null, _ -> {})).isInstanceOf(Refusal.class);
        }
    }

    @Test
    default void printCounterChangesWithEveryPrintEvenIfUnobserved(@TempDir Path folder) throws Exception {
        assumeThat(provider().abilities()).contains(Ability.PRINT_COUNTER);
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            upload(connection, folder, PrintFile.cube());
        }
        String before = recording.last().printCounter();
        assertThat(before).isNotNull();
        assertThat(counter()).as("nothing was printed").isEqualTo(before);
        for (String end : List.of("finished", "cancelled-at-screen")) {
            log().fail("started-at-screen");
            log().fail(end);
            String now = counter();
            assertThat(now).as("it has printed").isNotNull().isNotEqualTo(before);
            before = now;
        }
    }

    /** Returns the counter in the first status of a new connection. */
    private @Nullable String counter() {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection _ = provider().connect(printer(), PrinterFixture.HOST, recording)) {
            Eventually.until("it is seen", recording::isSeen);
            return recording.first().printCounter();
        }
    }

    @Test
    default void printCounterChangesWhileThePrintIsObserved(@TempDir Path folder) throws Exception {
        assumeThat(provider().abilities()).contains(Ability.PRINT_COUNTER);
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            String before = recording.last().printCounter();
            begin(connection, folder);
            log().fail("finished");
            Eventually.until(
                    "it is counted", () -> recording.shows(reading -> !Objects.equals(reading.printCounter(), before)));
        }
    }

    /** Returns commands that this provider does not support, in addition to those that no provider supports. */
    default List<Command.Send> unsupportedCommands() {
        return List.of();
    }

    @Test
    default void unsupportedCommandIsNotSent() {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            assertThatThrownBy(() -> connection.send(new Command.Send("make-coffee", Map.of())))
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("make-coffee");
            for (Command.Send command : unsupportedCommands()) {
                assertThatThrownBy(() -> connection.send(command))
                        .as(command.toString())
                        .isInstanceOf(Refusal.class);
            }
        }
        assertThat(log().scripts()).isEmpty();
        assertThat(log().orders()).isEmpty();
    }

    @Test
    default void endedPrintIsRecalledAndARunningOneIsNot(@TempDir Path folder) throws Exception {
        assumeThat(provider().abilities()).contains(Ability.RECALL);
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            upload(connection, folder, PrintFile.lasting());
            assertThat(connection.findRecordedEnding(FILE)).isEmpty();
            connection.start(FILE, null, _ -> {});
            assertThat(connection.findRecordedEnding(FILE)).isEmpty();
            log().fail("cancelled-at-screen");
            assertThat(connection.findRecordedEnding(FILE))
                    .hasValueSatisfying(end -> assertThat(end.ending()).isIn(Ending.CANCELLED, Ending.FAILED));
        }
    }

    @Test
    default void fileIsRemovedOnlyIfThePrinterIsIdleAndShowsAnotherFile(@TempDir Path folder) throws Exception {
        assumeThat(provider().abilities()).contains(Ability.REMOVE_FILES);
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            begin(connection, folder);
            recording.awaitPrint();
            assertThatThrownBy(() -> connection.removeFile(FILE)).isInstanceOf(Refusal.class);
            log().fail("cancelled-at-screen");
            recording.await(Status.cancelled);
            if (!provider().abilities().contains(Ability.REPLAY)) {
                assertThatThrownBy(() -> connection.removeFile(FILE)).isInstanceOf(Refusal.class);
            }
            connection.upload(file(folder), PrintFile.lasting().sha256(), OTHER_FILE);
            connection.start(OTHER_FILE, null, _ -> {});
            recording.awaitPrint();
            assertThatThrownBy(() -> connection.removeFile(FILE))
                    .as("nothing is removed while it prints")
                    .isInstanceOf(Refusal.class);
            assertThat(log().files()).hasSize(2);
            log().fail("finished");
            recording.await(Status.finished);
            connection.removeFile(FILE);
            Eventually.until("it is gone", () -> log().files().equals(List.of(OTHER_FILE)), () -> log().files());
            connection.removeFile(FILE);
        }
        assertThat(log().files()).isEqualTo(List.of(OTHER_FILE));
    }

    @Test
    default void printerFaultFailsThePrint(@TempDir Path folder) throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            begin(connection, folder);
            recording.awaitPrint();
            log().fail("mcu-shutdown");
            recording.await(Status.error);
            assertThat(recording.last().ending()).isEqualTo(Ending.FAILED);
            assertThat(recording.last().errors()).isNotEmpty();
        }
    }

    @Test
    default void emergencyStopEndsThePrintAndARestartRevivesThePrinter(@TempDir Path folder) throws Exception {
        assumeThat(provider().abilities()).contains(Ability.EMERGENCY_STOP);
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            begin(connection, folder);
            recording.awaitPrint();
            connection.send(new Command.Send(PrinterConnection.EMERGENCY_STOP, Map.of()));
            recording.await(Status.error);
            assertThat(recording.last().ending()).isEqualTo(Ending.FAILED);
            connection.send(new Command.Send(PrinterConnection.FIRMWARE_RESTART, Map.of()));
            Eventually.until("it is well", () -> recording.shows(PrinterStatus::isStartable), () -> recording.reason());
        }
    }

    @Test
    default void emergencyStopIsCarriedOutWhenAnUploadIsRunning(@TempDir Path folder) throws Exception {
        assumeThat(provider().abilities()).contains(Ability.EMERGENCY_STOP);
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            log().fail("slow-upload");
            Path file = file(folder);
            Thread upload = Thread.ofVirtual().start(() -> {
                try {
                    connection.upload(file, PrintFile.lasting().sha256(), FILE);
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            Eventually.until("it has the file", () -> log().uploads().size() == 1);
            connection.send(new Command.Send(PrinterConnection.EMERGENCY_STOP, Map.of()));
            Eventually.until("it is stopped", () -> log().state().equals("shutdown"), () -> log().state());
            assertThat(upload.isAlive()).isTrue();
            log().recover();
            upload.join();
        }
    }

    @Test
    default void brokenConnectionIsReportedAndReopened() {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection _ = connect(recording)) {
            int losses = recording.losses();
            int gaps = recording.gaps();
            log().fail("disconnect");
            Eventually.until("the loss is reported", () -> recording.losses() > losses);
            Eventually.until("it is seen again", () -> recording.isSeen());
            assertThat(recording.gaps()).isEqualTo(gaps + 1);
        }
    }

    @Test
    default void bedTemperatureIsSet() throws Exception {
        assumeThat(provider().abilities()).contains(Ability.SET_TEMPERATURE);
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            connection.send(new Command.Send("set-temperature", Map.of("type", "bed", "temperature", 55)));
            Eventually.until("the bed is to be warm", () -> {
                var bed = recording.last().temperatures().get("bed");
                return bed != null && bed.target() == 55;
            });
        }
    }

    /** Returns whether snapshots can be taken; some cameras need ffmpeg, which may be missing. */
    default boolean canTakeSnapshots() {
        return true;
    }

    @Test
    default void snapshotIsTakenIfThePrinterHasACamera() throws Exception {
        assumeThat(provider().abilities()).contains(Ability.CAMERA);
        assumeThat(canTakeSnapshots()).as("ffmpeg is installed").isTrue();
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            for (int i = 0; i < 2; i++) {
                CameraImage picture = connection.takeSnapshot();
                assertThat(picture.type()).isIn("image/jpeg", "image/png");
                BufferedImage image = ImageIO.read(new ByteArrayInputStream(picture.bytes()));
                assertThat(image.getWidth()).isEqualTo(64);
            }
            assertThat(log().starts()).isEmpty();
        }
    }

    static void resync(PrinterConnection connection) throws Exception {
        connection.send(new Command.Send("resync-data", Map.of()));
    }

    /** Begins a print that ends when the test ends it. */
    static void begin(PrinterConnection connection, Path folder) throws Exception {
        begin(connection, folder, PrintFile.lasting());
    }

    /** Begins a print that the simulator completes in seconds. */
    static void beginShort(PrinterConnection connection, Path folder) throws Exception {
        begin(connection, folder, PrintFile.cube());
    }

    private static void begin(PrinterConnection connection, Path folder, PrintFile print) throws Exception {
        upload(connection, folder, print);
        connection.start(FILE, null, _ -> {});
    }

    static void upload(PrinterConnection connection, Path folder) throws Exception {
        upload(connection, folder, PrintFile.lasting());
    }

    private static void upload(PrinterConnection connection, Path folder, PrintFile print) throws Exception {
        connection.upload(file(folder, print), print.sha256(), FILE);
    }

    /**
     * Gives the address to another printer and checks that this is reported and that the other printer is neither read
     * nor changed.
     */
    default void assertNoOtherMachineIsServed(PrinterConnection connection, RecordingListener recording) {
        log().fail("other-machine");
        Eventually.until("it is reported", () -> recording.reason().contains("another machine"), recording::reason);
        assertThat(recording.isSeen()).isFalse();
        assertThatThrownBy(() -> connection.start(FILE, null, _ -> {})).isInstanceOf(Refusal.class);
        assertThat(log().starts()).isEmpty();
    }

    static Path file(Path folder) throws Exception {
        return file(folder, PrintFile.lasting());
    }

    private static Path file(Path folder, PrintFile print) throws Exception {
        return Files.write(folder.resolve("cube.gcode"), print.content());
    }
}
