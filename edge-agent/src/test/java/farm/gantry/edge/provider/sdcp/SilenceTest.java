package farm.gantry.edge.provider.sdcp;

import farm.gantry.edge.Bench;
import farm.gantry.edge.Patience;
import farm.gantry.edge.printer.Connection;
import farm.gantry.edge.provider.Ear;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterState.Status;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SilenceTest {

    @Test
    void aPrinterThatSaysNothingIsAskedAndThenGivenUpUntilItSpeaks() {
        Ear ear = new Ear();
        try (Bench bench = Bench.of(Printer.Provider.sdcp, Bench.QUICK);
                Connection _ = new Sdcp(Duration.ofMillis(200)).connect(bench.printer(), Bench.HOST, ear)) {
            ear.await(Status.idle);
            bench.log().fail("silent");
            Patience.until("it is given up", () -> ear.reason().equals("the printer has nothing to say"), ear::reason);
            bench.log().recover();
            Patience.until("it is seen", ear::isSeen, ear::reason);
        }
    }
}
