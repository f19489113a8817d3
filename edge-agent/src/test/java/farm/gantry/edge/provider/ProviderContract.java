package farm.gantry.edge.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import farm.gantry.edge.Bench;
import farm.gantry.edge.Patience;
import farm.gantry.edge.PrintFile;
import farm.gantry.edge.SimulatorLog;
import farm.gantry.edge.camera.CameraPicture;
import farm.gantry.edge.printer.Connection;
import farm.gantry.edge.printer.Connection.Remembered;
import farm.gantry.edge.printer.Provider;
import farm.gantry.edge.printer.Provider.Ability;
import farm.gantry.edge.printer.Reading;
import farm.gantry.edge.printer.Reading.Ending;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.wire.Command;
import farm.gantry.wire.LinkAnswer.PrinterConfig;
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

/** What every make of printer must do, minus what it declares it cannot; each passes it with its own printer. */
@Execution(ExecutionMode.CONCURRENT)
public interface ProviderContract {
    String FILE = "gantry-j1-1-cube.gcode";
    /** The interval in which a printer is asked for nothing but what belongs to an order, in milliseconds. */
    int UNASKED = 3_600_000;

    /** One on which it is asked, and one for what is changed: a small printer has three in all. */
    int CONNECTIONS = 2;

    /** With a fresh, idle printer. */
    Bench bench();

    default Provider provider() {
        return Providers.of(printer());
    }

    default PrinterConfig printer() {
        return bench().printer();
    }

    default PrinterConfig stranger() {
        return bench().stranger();
    }

    /** What the printer remembers, and the fates it can be given. */
    default SimulatorLog log() {
        return bench().log();
    }

    @AfterEach
    default void close() {
        bench().close();
    }

    @Test
    default void anIdlePrinterIsSeen() {
        Ear ear = new Ear();
        try (Connection _ = provider().connect(printer(), Bench.HOST, ear)) {
            ear.await(Status.idle);
            assertThat(ear.last().temperatures()).containsKeys("nozzle", "bed");
        }
    }

    @Test
    default void aPrintIsFollowedToItsEnd(@TempDir Path folder) throws Exception {
        assumeThat(provider().abilities()).contains(Ability.print);
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), Bench.HOST, ear)) {
            ear.await(Status.idle);
            begin(connection, folder);
            ear.await(Status.preparing);
            ear.await(Status.printing);
            if (provider().abilities().contains(Ability.layers)) {
                Patience.until("layers are counted", () -> ear.shows(reading -> layer(reading) > 0));
            }
            ear.await(Status.finished);
            assertThat(ear.last().ending()).isEqualTo(Ending.completed);
            assertThat(ear.last().file()).satisfies(file -> {
                assertThat(file).isNotNull();
                assertThat(file.name()).isEqualTo(FILE);
                assertThat(file.percent()).isEqualTo(100);
            });
            if (provider().abilities().contains(Ability.recall)) {
                assertThat(connection.recall(FILE)).contains(Remembered.of(Ending.completed));
            }
        }
        assertThat(log().connections()).as("at one time").isLessThanOrEqualTo(CONNECTIONS);
    }

    private static int layer(Reading reading) {
        Reading.File file = reading.file();
        return file == null || file.currentLayer() == null ? 0 : file.currentLayer();
    }

    @Test
    default void aPrintIsPausedResumedAndCancelled(@TempDir Path folder) throws Exception {
        assumeThat(provider().abilities()).contains(Ability.pause, Ability.resume, Ability.cancel);
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), Bench.HOST, ear)) {
            ear.await(Status.idle);
            begin(connection, folder);
            ear.awaitPrint();
            connection.pause();
            ear.await(Status.paused);
            connection.resume();
            Patience.until("it goes on", () -> ear.shows(reading -> reading.status() != Status.paused));
            connection.cancel();
            ear.await(Status.cancelled);
            assertThat(ear.last().ending()).isEqualTo(Ending.cancelled);
        }
    }

    @Test
    default void aBusyPrinterRefusesAnotherStart(@TempDir Path folder) throws Exception {
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), Bench.HOST, ear)) {
            ear.await(Status.idle);
            begin(connection, folder);
            assertThatThrownBy(() -> connection.start(FILE, null)).isInstanceOf(Refusal.class);
            assertThat(log().starts()).isEqualTo(List.of(FILE));
        }
    }

    @Test
    default void aFileThatIsNotOnThePrinterIsNotStarted() {
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), Bench.HOST, ear)) {
            ear.await(Status.idle);
            assertThatThrownBy(() -> connection.start(FILE, null)).isInstanceOf(Refusal.class);
            assertThat(log().starts()).isEmpty();
        }
    }

    @Test
    default void aLoginThatIsNotGoodIsToldAndNothingIsSeen() {
        Ear ear = new Ear();
        try (Connection _ = provider().connect(stranger(), Bench.HOST, ear)) {
            Patience.until("it is told", () -> ear.losses() > 0);
            assertThat(ear.isSeen()).isFalse();
        }
    }

    @Test
    default void anUploadThatIsCutIsToldAndStartsNothingAndCanBeDoneAgain(@TempDir Path folder) throws Exception {
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), Bench.HOST, ear)) {
            ear.await(Status.idle);
            log().fail("upload-cut");
            assertThatThrownBy(() -> upload(connection, folder)).isInstanceOf(IOException.class);
            upload(connection, folder);
            assertThat(log().starts()).isEmpty();
            connection.start(FILE, null);
            assertThat(log().starts()).isEqualTo(List.of(FILE));
        }
    }

    @Test
    default void aStartWhoseAnswerIsLostIsNoRefusalAndShowsAtThePrinter(@TempDir Path folder) throws Exception {
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), Bench.HOST, ear)) {
            ear.await(Status.idle);
            upload(connection, folder);
            log().fail("start-unanswered");
            assertThatThrownBy(() -> connection.start(FILE, null)).isInstanceOf(IOException.class);
            Patience.until(
                    "the print shows",
                    () -> ear.shows(reading -> reading.fileName().equals(FILE)));
            assertThat(log().starts()).isEqualTo(List.of(FILE));
        }
    }

    @Test
    default void aPrinterThatIsOutOfSightRefusesAStart(@TempDir Path folder) throws Exception {
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), Bench.HOST, ear)) {
            ear.await(Status.idle);
            upload(connection, folder);
            log().fail("offline");
            Patience.until("the loss is told", () -> ear.losses() > 0);
            assertThatThrownBy(() -> connection.start(FILE, null)).isInstanceOf(Refusal.class);
            assertThat(log().starts()).isEmpty();
        }
    }

    @Test
    default void aPrinterThatRestartsInAPrintNoLongerShowsIt(@TempDir Path folder) throws Exception {
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), Bench.HOST, ear)) {
            ear.await(Status.idle);
            begin(connection, folder);
            ear.awaitPrint();
            log().fail("reboot");
            Patience.until(
                    "it is idle and empty",
                    () -> ear.shows(reading -> reading.status() == Status.idle
                            && reading.fileName().isEmpty()));
        }
    }

    @Test
    default void aPrintCancelledAtTheScreenIsToldAsCancelled(@TempDir Path folder) throws Exception {
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), Bench.HOST, ear)) {
            ear.await(Status.idle);
            begin(connection, folder);
            ear.awaitPrint();
            log().fail("cancelled-at-screen");
            ear.await(Status.cancelled);
            assertThat(ear.last().ending()).isEqualTo(Ending.cancelled);
            assertThat(ear.last().fileName()).isEqualTo(FILE);
        }
    }

    @Test
    default void aPrintStartedAtTheScreenIsShownByItsName(@TempDir Path folder) throws Exception {
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), Bench.HOST, ear)) {
            ear.await(Status.idle);
            upload(connection, folder);
            log().fail("started-at-screen");
            ear.awaitPrint();
            assertThat(ear.last().fileName()).isEqualTo(FILE);
            assertThatThrownBy(() -> connection.start(FILE, null)).isInstanceOf(Refusal.class);
        }
    }

    @Test
    default void aCounterChangesWithEveryPrintAlsoOneThatNobodySaw(@TempDir Path folder) throws Exception {
        assumeThat(provider().abilities()).contains(Ability.printCounter);
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), Bench.HOST, ear)) {
            ear.await(Status.idle);
            upload(connection, folder);
        }
        String before = ear.last().printCounter();
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

    /** As it is told at the first look of a new connection. */
    private @Nullable String counter() {
        Ear ear = new Ear();
        try (Connection _ = provider().connect(printer(), Bench.HOST, ear)) {
            Patience.until("it is seen", ear::isSeen);
            return ear.first().printCounter();
        }
    }

    @Test
    default void aPrintOfTheFarmIsCountedWhileItIsInSight(@TempDir Path folder) throws Exception {
        assumeThat(provider().abilities()).contains(Ability.printCounter);
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), Bench.HOST, ear)) {
            ear.await(Status.idle);
            String before = ear.last().printCounter();
            begin(connection, folder);
            log().fail("finished");
            Patience.until(
                    "it is counted", () -> ear.shows(reading -> !Objects.equals(reading.printCounter(), before)));
        }
    }

    /** What this make cannot do, beside what none can. */
    default List<Command.Send> impossible() {
        return List.of();
    }

    @Test
    default void whatAMakeCannotDoNeverLeavesTheAgent() {
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), Bench.HOST, ear)) {
            ear.await(Status.idle);
            assertThatThrownBy(() -> connection.send(new Command.Send("make-coffee", Map.of())))
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("make-coffee");
            for (Command.Send command : impossible()) {
                assertThatThrownBy(() -> connection.send(command))
                        .as(command.toString())
                        .isInstanceOf(Refusal.class);
            }
        }
        assertThat(log().scripts()).isEmpty();
        assertThat(log().orders()).isEmpty();
    }

    @Test
    default void aPrintThatIsOverIsRememberedAndOneThatRunsIsNot(@TempDir Path folder) throws Exception {
        assumeThat(provider().abilities()).contains(Ability.recall);
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), Bench.HOST, ear)) {
            ear.await(Status.idle);
            upload(connection, folder);
            assertThat(connection.recall(FILE)).isEmpty();
            connection.start(FILE, null);
            assertThat(connection.recall(FILE)).isEmpty();
            log().fail("cancelled-at-screen");
            assertThat(connection.recall(FILE))
                    .hasValueSatisfying(end -> assertThat(end.ending()).isIn(Ending.cancelled, Ending.failed));
        }
    }

    @Test
    default void aPrinterThatDiesWhilePrintingHasFailedAndIsNotPaused(@TempDir Path folder) throws Exception {
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), Bench.HOST, ear)) {
            ear.await(Status.idle);
            begin(connection, folder);
            ear.awaitPrint();
            log().fail("mcu-shutdown");
            ear.await(Status.error);
            assertThat(ear.last().ending()).isEqualTo(Ending.failed);
            assertThat(ear.last().errors()).isNotEmpty();
        }
    }

    @Test
    default void anEmergencyStopEndsThePrintAndARestartRevivesThePrinter(@TempDir Path folder) throws Exception {
        assumeThat(provider().abilities()).contains(Ability.emergencyStop);
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), Bench.HOST, ear)) {
            ear.await(Status.idle);
            begin(connection, folder);
            ear.awaitPrint();
            connection.send(new Command.Send(Connection.EMERGENCY_STOP, Map.of()));
            ear.await(Status.error);
            assertThat(ear.last().ending()).isEqualTo(Ending.failed);
            connection.send(new Command.Send(Connection.FIRMWARE_RESTART, Map.of()));
            Patience.until("it is well", () -> ear.shows(Reading::isStartable), () -> ear.reason());
        }
    }

    @Test
    default void aBrokenLineIsToldAndMended() {
        Ear ear = new Ear();
        try (Connection _ = provider().connect(printer(), Bench.HOST, ear)) {
            ear.await(Status.idle);
            log().fail("disconnect");
            Patience.until("the loss is told", () -> ear.losses() > 0);
            Patience.until("it is seen again", () -> ear.isSeen());
            assertThat(ear.gaps()).isEqualTo(2);
        }
    }

    @Test
    default void aTemperatureIsSet() throws Exception {
        assumeThat(provider().abilities()).contains(Ability.setTemperature);
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), Bench.HOST, ear)) {
            ear.await(Status.idle);
            connection.send(new Command.Send("set-temperature", Map.of("type", "bed", "temperature", 55)));
            Patience.until("the bed is to be warm", () -> {
                var bed = ear.last().temperatures().get("bed");
                return bed != null && bed.target() == 55;
            });
        }
    }

    /** Of some cameras only with a program that need not be installed. */
    default boolean showsPictures() {
        return true;
    }

    @Test
    default void aPictureOfThePrinterIsTaken() throws Exception {
        assumeThat(provider().abilities()).contains(Ability.camera);
        assumeThat(showsPictures()).as("ffmpeg is installed").isTrue();
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), Bench.HOST, ear)) {
            ear.await(Status.idle);
            for (int i = 0; i < 2; i++) {
                CameraPicture picture = connection.snapshot();
                assertThat(picture.type()).isIn("image/jpeg", "image/png");
                BufferedImage image = ImageIO.read(new ByteArrayInputStream(picture.bytes()));
                assertThat(image.getWidth()).isEqualTo(64);
            }
            assertThat(log().starts()).isEmpty();
        }
    }

    static void look(Connection connection) throws Exception {
        connection.send(new Command.Send("resync-data", Map.of()));
    }

    /** Prints the cube. */
    static void begin(Connection connection, Path folder) throws Exception {
        upload(connection, folder);
        connection.start(FILE, null);
    }

    private static void upload(Connection connection, Path folder) throws Exception {
        connection.upload(file(folder), PrintFile.cube().sha256(), FILE);
    }

    static Path file(Path folder) throws Exception {
        return Files.write(folder.resolve("cube.gcode"), PrintFile.cube().content());
    }
}
