package farm.gantry.edge.provider.anycubic;

import farm.gantry.edge.FakeApi;
import farm.gantry.edge.PrinterFixture;
import farm.gantry.edge.SimulatorLog;
import farm.gantry.edge.TranscriptListener;
import farm.gantry.edge.camera.Ffmpeg;
import farm.gantry.edge.printer.connection.PrinterConnection;
import farm.gantry.edge.provider.anycubic.AnycubicSession.PollTiming;
import farm.gantry.simulator.anycubic.AnycubicSimulator;
import farm.gantry.simulator.printer.SimulationSpeed;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SilenceTest {
    private static final PollTiming QUICK = new PollTiming(Duration.ofMillis(200), Duration.ofMillis(700));

    private final TranscriptListener transcript = new TranscriptListener();

    @Test
    void silentPrinterIsProbedThenDisconnectedUntilItAnswers(@TempDir Path folder) {
        try (AnycubicSimulator simulator = new AnycubicSimulator(0, new SimulationSpeed(60, 120.0));
                PrinterConnection _ = new AnycubicProvider(folder, QUICK, new Ffmpeg(Ffmpeg.NAME))
                        .connect(FakeApi.anycubic("a1", simulator.port()), PrinterFixture.HOST, transcript)) {
            SimulatorLog log = new SimulatorLog(simulator.port());
            transcript.await(TranscriptListener.FIRST);
            transcript.await("seen idle", 2);
            log.fail("silent");
            transcript.await("the printer has sent no status: restart it, and check its serial number in its settings");
            log.recover();
            transcript.awaitReachable();
        }
    }
}
