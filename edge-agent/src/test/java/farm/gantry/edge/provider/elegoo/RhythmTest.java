package farm.gantry.edge.provider.elegoo;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.Eventually;
import farm.gantry.edge.FakeApi;
import farm.gantry.edge.PrintFile;
import farm.gantry.edge.PrinterFixture;
import farm.gantry.edge.SimulatorLog;
import farm.gantry.edge.TranscriptListener;
import farm.gantry.edge.printer.connection.PrinterConnection;
import farm.gantry.edge.provider.elegoo.ElegooSession.PollTiming;
import farm.gantry.simulator.elegoo.ElegooSimulator;
import farm.gantry.simulator.printer.SimulationSpeed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class RhythmTest {
    private static final Duration QUERY_INTERVAL = Duration.ofMillis(200);
    private static final Duration LATER = Duration.ofMillis(2_500);
    private static final Duration MUCH_LATER = Duration.ofSeconds(6);
    private static final Duration NEVER = Duration.ofHours(1);
    private static final String FILE = "gantry-j1-1-cube.gcode";

    private final TranscriptListener transcript = new TranscriptListener();

    @Test
    void pingedPrinterKeepsTheConnection() {
        try (ElegooSimulator simulator = hangingUpAfter(MUCH_LATER);
                PrinterConnection _ = connect(simulator, new PollTiming(QUERY_INTERVAL, QUERY_INTERVAL, NEVER))) {
            transcript.await(40);
            assertThat(transcript.entries()).containsOnlyOnce(TranscriptListener.FIRST);
        }
    }

    @Test
    void printerDisconnectsWithoutPings() {
        try (ElegooSimulator simulator = hangingUpAfter(LATER);
                PrinterConnection _ = connect(simulator, new PollTiming(NEVER, NEVER, NEVER))) {
            Eventually.until(
                    "it is seen again",
                    () -> transcript.entries().lastIndexOf(TranscriptListener.FIRST) > 0,
                    transcript::entries);
        }
    }

    @Test
    void silentPrinterIsDisconnectedUntilItAnswers() {
        try (ElegooSimulator simulator = hangingUpAfter(NEVER);
                PrinterConnection _ = connect(simulator, new PollTiming(QUERY_INTERVAL, QUERY_INTERVAL, LATER))) {
            SimulatorLog log = new SimulatorLog(simulator.port());
            transcript.await(TranscriptListener.FIRST);
            log.fail("silent");
            transcript.await("the printer has sent no status: restart it, and check its serial number in its settings");
            log.recover();
            transcript.awaitReachable();
        }
    }

    @Test
    void missedPauseIsDetectedByTheNextQuery(@TempDir Path folder) throws Exception {
        Path file = Files.write(folder.resolve("cube.gcode"), PrintFile.cube().content());
        try (ElegooSimulator simulator = hangingUpAfter(NEVER);
                PrinterConnection connection =
                        connect(simulator, new PollTiming(QUERY_INTERVAL, QUERY_INTERVAL, NEVER))) {
            SimulatorLog log = new SimulatorLog(simulator.port());
            transcript.await(TranscriptListener.FIRST);
            connection.upload(file, "", FILE);
            connection.start(FILE, null, _ -> {});
            log.fail("changes-lost");
            log.fail("filament-runout");
            transcript.await("seen paused");
        }
    }

    /** Returns a simulator that closes the connection of a client that is silent for this long. */
    private static ElegooSimulator hangingUpAfter(Duration silence) {
        return new ElegooSimulator(0, new SimulationSpeed(60, 6_000.0), "E1", "code", silence);
    }

    private PrinterConnection connect(ElegooSimulator simulator, PollTiming rhythm) {
        return new ElegooProvider(null, rhythm)
                .connect(FakeApi.elegoo("E1", simulator.port(), "code"), PrinterFixture.HOST, transcript);
    }
}
