package farm.gantry.edge.provider;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.Bench;
import farm.gantry.edge.Patience;
import farm.gantry.edge.PrintFile;
import farm.gantry.edge.printer.Connection;
import farm.gantry.edge.printer.Reading.Ending;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.simulator.SimulationSpeed;
import farm.gantry.wire.LinkAnswer.PrinterConfig;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The line to a printer breaks after each step of a print. */
@Execution(ExecutionMode.CONCURRENT)
class BrokenLineTest {
    /** Prints end when the test says so. */
    private static final SimulationSpeed LONG = new SimulationSpeed(60, 6_000.0);

    private final Ear ear = new Ear();

    @ParameterizedTest
    @EnumSource(Printer.Provider.class)
    void aPrintGoesOnWhateverBecomesOfTheLine(Printer.Provider make, @TempDir Path folder) throws Exception {
        try (Bench bench = Bench.of(make, LONG);
                Connection connection = connect(bench.printer(), folder)) {
            ear.await(Status.idle);
            breakOff(bench);
            connection.upload(ProviderContract.file(folder), PrintFile.cube().sha256(), ProviderContract.FILE);
            breakOff(bench);
            connection.start(ProviderContract.FILE, null);
            breakOff(bench);
            assertThat(ear.last().fileName()).isEqualTo(ProviderContract.FILE);
            connection.pause();
            breakOff(bench);
            assertThat(ear.last().status()).isEqualTo(Status.paused);
            connection.resume();
            breakOff(bench);
            assertThat(ear.last().status()).isIn(Status.preparing, Status.printing);
            connection.cancel();
            breakOff(bench);
            assertThat(ending(make, connection)).isEqualTo(Ending.cancelled);
            assertThat(bench.log().starts()).isEqualTo(List.of(ProviderContract.FILE));
        }
    }

    /** On a new line, SDCP does not name a print that was cancelled; but the printer remembers it. */
    private @Nullable Ending ending(Printer.Provider make, Connection connection) throws Exception {
        return make == Printer.Provider.sdcp
                ? connection
                        .recall(ProviderContract.FILE)
                        .map(Connection.Remembered::ending)
                        .orElse(null)
                : ear.last().ending();
    }

    private Connection connect(PrinterConfig printer, Path folder) {
        return Providers.of(printer).keeping(folder.resolve("known")).connect(printer, Bench.HOST, ear);
    }

    /** Until the printer is seen on a new line. */
    private void breakOff(Bench bench) {
        int gaps = ear.gaps();
        bench.log().fail("disconnect");
        Patience.until("it is seen anew", () -> ear.gaps() > gaps && ear.isSeen(), ear::reason);
    }
}
