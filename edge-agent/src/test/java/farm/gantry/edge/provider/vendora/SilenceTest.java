package farm.gantry.edge.provider.vendora;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.FakeApi;
import farm.gantry.edge.Patience;
import farm.gantry.edge.SimulatorLog;
import farm.gantry.edge.printer.Connection;
import farm.gantry.edge.printer.Provider;
import farm.gantry.edge.printer.Reading;
import farm.gantry.edge.simulator.BambuSimulator;
import farm.gantry.edge.simulator.Pace;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class SilenceTest {
    private static final String SERIAL = "SILENT1";

    private final List<String> heard = new CopyOnWriteArrayList<>();

    @Test
    void aPrinterThatSaysNothingIsAskedAndThenGivenUpUntilItSpeaks() {
        try (BambuSimulator simulator = new BambuSimulator(0, new Pace(60, 120.0), SERIAL, "code");
                Connection _ = new VendorA(null, Duration.ofMillis(700))
                        .connect(FakeApi.vendorA("a1", simulator.port(), SERIAL, "code"), new Diary())) {
            SimulatorLog log = new SimulatorLog(simulator.port());
            Patience.until("it is asked again", () -> heard.size() > 2);
            assertThat(heard).startsWith("seen first", "seen", "seen");
            log.fail("silent");
            Patience.until("it is given up", () -> heard.contains("the printer has nothing to say"), () -> heard);
            log.recover();
            Patience.until("it is seen", () -> heard.getLast().startsWith("seen"), () -> heard);
        }
    }

    private final class Diary implements Provider.Listener {

        @Override
        public void saw(Reading reading, boolean afterGap) {
            heard.add(afterGap ? "seen first" : "seen");
        }

        @Override
        public void lost(String reason) {
            heard.add(reason);
        }
    }
}
