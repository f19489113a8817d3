package farm.gantry.edge.provider.klipper;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.Eventually;
import farm.gantry.edge.PrinterFixture;
import farm.gantry.edge.printer.connection.PrinterConnection;
import farm.gantry.edge.provider.RecordingListener;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterState.Status;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class SilenceTest {

    @Test
    void silentPrinterIsProbedAndThenDisconnectedUntilItAnswers() {
        RecordingListener recording = new RecordingListener();
        try (PrinterFixture fixture = PrinterFixture.of(Printer.Provider.firmwareK, PrinterFixture.QUICK);
                PrinterConnection _ = new KlipperProvider(null, Duration.ofMillis(200))
                        .connect(fixture.printer(), PrinterFixture.HOST, recording)) {
            recording.await(Status.idle);
            fixture.log().fail("silent");
            Eventually.until("the printer is given up", () -> recording.losses() > 0);
            assertThat(recording.reason()).startsWith("server.info was not answered");
            fixture.log().recover();
            Eventually.until("it is seen", recording::isSeen, recording::reason);
        }
    }
}
