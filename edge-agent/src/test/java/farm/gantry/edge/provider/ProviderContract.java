package farm.gantry.edge.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import farm.gantry.edge.Patience;
import farm.gantry.edge.PrintFile;
import farm.gantry.edge.printer.Connection;
import farm.gantry.edge.printer.Provider;
import farm.gantry.edge.printer.Provider.Ability;
import farm.gantry.edge.printer.Reading;
import farm.gantry.edge.printer.Reading.Ending;
import farm.gantry.edge.printer.Refusal;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.wire.Command;
import farm.gantry.wire.LinkAnswer.PrinterConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every make of printer must do, minus what it declares it cannot; each passes it with its own printer. */
public interface ProviderContract {
    String FILE = "gantry-j1-1-cube.gcode";

    Provider provider();

    /** Of a fresh, idle printer that prints anything in a few seconds. */
    PrinterConfig printer();

    void breakPrinter();

    void hangUp();

    @Test
    default void anIdlePrinterIsSeen() {
        Ear ear = new Ear();
        try (Connection _ = provider().connect(printer(), ear)) {
            ear.await(Status.idle);
            assertThat(ear.last().temperatures()).containsKeys("nozzle", "bed");
        }
    }

    @Test
    default void aPrintIsFollowedToItsEnd(@TempDir Path folder) throws Exception {
        assumeThat(provider().abilities()).contains(Ability.print);
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), ear)) {
            ear.await(Status.idle);
            begin(connection, folder);
            ear.await(Status.preparing);
            ear.await(Status.printing);
            Patience.until("layers are counted", () -> layer(ear.last()) > 0);
            ear.await(Status.finished);
            assertThat(ear.last().ending()).isEqualTo(Ending.completed);
            assertThat(ear.last().file()).satisfies(file -> {
                assertThat(file).isNotNull();
                assertThat(file.name()).isEqualTo(FILE);
                assertThat(file.percent()).isEqualTo(100);
            });
            if (provider().abilities().contains(Ability.recall)) {
                assertThat(connection.recall(FILE)).contains(Ending.completed);
            }
        }
    }

    private static int layer(Reading reading) {
        Reading.File file = reading.file();
        return file == null || file.currentLayer() == null ? 0 : file.currentLayer();
    }

    @Test
    default void aPrintIsPausedResumedAndCancelled(@TempDir Path folder) throws Exception {
        assumeThat(provider().abilities()).contains(Ability.pause, Ability.resume, Ability.cancel);
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), ear)) {
            ear.await(Status.idle);
            begin(connection, folder);
            ear.await(Status.preparing);
            connection.pause();
            ear.await(Status.paused);
            connection.resume();
            Patience.until("it goes on", () -> ear.last().status() != Status.paused);
            connection.cancel();
            ear.await(Status.failed);
            assertThat(ear.last().ending()).isEqualTo(Ending.cancelled);
        }
    }

    @Test
    default void aBusyPrinterRefusesAnotherStart(@TempDir Path folder) throws Exception {
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), ear)) {
            ear.await(Status.idle);
            begin(connection, folder);
            assertThatThrownBy(() -> connection.start(FILE)).isInstanceOf(Refusal.class);
        }
    }

    @Test
    default void aPrinterThatDiesWhilePrintingHasFailedAndIsNotPaused(@TempDir Path folder) throws Exception {
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), ear)) {
            ear.await(Status.idle);
            begin(connection, folder);
            ear.await(Status.preparing);
            breakPrinter();
            ear.await(Status.failed);
            assertThat(ear.last().ending()).isEqualTo(Ending.failed);
            assertThat(ear.last().errors()).isNotEmpty();
        }
    }

    @Test
    default void aBrokenLineIsToldAndMended() {
        Ear ear = new Ear();
        try (Connection _ = provider().connect(printer(), ear)) {
            ear.await(Status.idle);
            hangUp();
            Patience.until("the loss is told", () -> ear.losses() > 0);
            Patience.until("it is seen again", () -> ear.isSeen());
            assertThat(ear.gaps()).isEqualTo(2);
        }
    }

    @Test
    default void aTemperatureIsSet() throws Exception {
        assumeThat(provider().abilities()).contains(Ability.setTemperature);
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), ear)) {
            ear.await(Status.idle);
            connection.send(new Command.Send("set-temperature", Map.of("type", "bed", "temperature", 55)));
            Patience.until("the bed is to be warm", () -> {
                var bed = ear.last().temperatures().get("bed");
                return bed != null && bed.target() == 55;
            });
        }
    }

    private static void begin(Connection connection, Path folder) throws Exception {
        Path file = Files.write(folder.resolve("cube.gcode"), PrintFile.cube().content());
        connection.upload(file, PrintFile.cube().sha256(), FILE);
        connection.start(FILE);
    }
}
