package farm.gantry.edge.provider.bambu;

import farm.gantry.edge.FakeApi;
import farm.gantry.edge.PrinterFixture;
import farm.gantry.edge.SimulatorLog;
import farm.gantry.edge.TranscriptListener;
import farm.gantry.edge.camera.Ffmpeg;
import farm.gantry.edge.printer.connection.PrinterConnection;
import farm.gantry.simulator.bambu.BambuSimulator;
import farm.gantry.simulator.printer.SimulationSpeed;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SilenceTest {
    private static final String SERIAL = "SILENT1";

    private final TranscriptListener transcript = new TranscriptListener();

    @Test
    void silentPrinterIsProbedAndThenDisconnectedUntilItAnswers() {
        try (BambuSimulator simulator = new BambuSimulator(0, new SimulationSpeed(60, 120.0), SERIAL, "code");
                PrinterConnection _ = new BambuLabProvider(null, Duration.ofMillis(700), new Ffmpeg(Ffmpeg.NAME))
                        .connect(
                                FakeApi.vendorA("a1", simulator.port(), SERIAL, "code"),
                                PrinterFixture.HOST,
                                transcript)) {
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
