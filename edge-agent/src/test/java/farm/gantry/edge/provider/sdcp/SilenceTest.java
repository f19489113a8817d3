package farm.gantry.edge.provider.sdcp;

import farm.gantry.edge.Eventually;
import farm.gantry.edge.PrinterFixture;
import farm.gantry.edge.printer.connection.PrinterConnection;
import farm.gantry.edge.provider.RecordingListener;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterState.Status;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SilenceTest {

    @Test
    void silentPrinterIsProbedAndThenDisconnectedUntilItAnswers() {
        RecordingListener recording = new RecordingListener();
        try (PrinterFixture fixture = PrinterFixture.of(Printer.Provider.sdcp, PrinterFixture.QUICK);
                PrinterConnection _ = new SdcpProvider(null, Duration.ofMillis(200))
                        .connect(fixture.printer(), PrinterFixture.HOST, recording)) {
            recording.await(Status.idle);
            fixture.log().fail("silent");
            Eventually.until(
                    "the printer is given up",
                    () -> recording.reason().startsWith("the printer has sent no status"),
                    recording::reason);
            fixture.log().recover();
            Eventually.until("it is seen", recording::isSeen, recording::reason);
        }
    }
}
