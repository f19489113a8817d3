package farm.gantry.edge.provider.firmwarek;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.Bench;
import farm.gantry.edge.Patience;
import farm.gantry.edge.printer.Connection;
import farm.gantry.edge.provider.Ear;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterState.Status;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class SilenceTest {

    @Test
    void aPrinterThatSaysNothingIsAskedAndThenGivenUpUntilItSpeaks() {
        Ear ear = new Ear();
        try (Bench bench = Bench.of(Printer.Provider.firmwareK, Bench.QUICK);
                Connection _ = new FirmwareK(Duration.ofMillis(200)).connect(bench.printer(), Bench.HOST, ear)) {
            ear.await(Status.idle);
            bench.log().fail("silent");
            Patience.until("it is given up", () -> ear.losses() > 0);
            assertThat(ear.reason()).startsWith("server.info was not answered");
            bench.log().recover();
            Patience.until("it is seen", ear::isSeen, ear::reason);
        }
    }
}
