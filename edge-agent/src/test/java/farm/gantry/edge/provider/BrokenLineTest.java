package farm.gantry.edge.provider;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.Eventually;
import farm.gantry.edge.PrintFile;
import farm.gantry.edge.PrinterFixture;
import farm.gantry.edge.printer.connection.PrinterConnection;
import farm.gantry.edge.printer.connection.PrinterStatus.Ending;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.simulator.printer.SimulationSpeed;
import farm.gantry.wire.LinkResponse.PrinterConfig;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Breaks the connection to a printer after each step of a print. */
@Execution(ExecutionMode.CONCURRENT)
class BrokenLineTest {
    /** Only the test ends prints, and they run so slowly that a slow machine observes each state. */
    private static final SimulationSpeed SLOW_PRINT = new SimulationSpeed(0.25, 600.0);

    private final RecordingListener recording = new RecordingListener();

    @ParameterizedTest
    @EnumSource(Printer.Provider.class)
    void printContinuesAfterEachConnectionFailure(Printer.Provider make, @TempDir Path folder) throws Exception {
        try (PrinterFixture fixture = PrinterFixture.of(make, SLOW_PRINT);
                PrinterConnection connection = connect(fixture.printer(), folder)) {
            recording.await(Status.idle);
            breakOff(fixture);
            connection.upload(ProviderContract.file(folder), PrintFile.lasting().sha256(), ProviderContract.FILE);
            breakOff(fixture);
            connection.start(ProviderContract.FILE, null, _ -> {});
            breakOff(fixture);
            assertThat(recording.last().fileName()).isEqualTo(ProviderContract.FILE);
            fixture.log().fail("warmed-up");
            recording.await(Status.printing);
            connection.pause();
            breakOff(fixture);
            assertThat(recording.last().status()).isEqualTo(Status.paused);
            connection.resume();
            breakOff(fixture);
            assertThat(recording.last().status()).isIn(Status.preparing, Status.printing);
            connection.cancel();
            breakOff(fixture);
            assertThat(ending(make, connection)).isEqualTo(Ending.CANCELLED);
            assertThat(fixture.log().starts()).isEqualTo(List.of(ProviderContract.FILE));
        }
    }

    /** On a new connection, SDCP does not report a cancelled print, but its history does. */
    private @Nullable Ending ending(Printer.Provider make, PrinterConnection connection) throws Exception {
        return make == Printer.Provider.sdcp
                ? connection
                        .findRecordedEnding(ProviderContract.FILE)
                        .map(PrinterConnection.RecordedEnding::ending)
                        .orElse(null)
                : recording.last().ending();
    }

    private PrinterConnection connect(PrinterConfig printer, Path folder) {
        return Providers.of(printer)
                .withDataFolder(folder.resolve("known"))
                .connect(printer, PrinterFixture.HOST, recording);
    }

    /** Breaks the connection and waits for a status on a new one. */
    private void breakOff(PrinterFixture fixture) {
        int gaps = recording.gaps();
        fixture.log().fail("disconnect");
        Eventually.until("it is seen again", () -> recording.gaps() > gaps && recording.isSeen(), recording::reason);
    }
}
