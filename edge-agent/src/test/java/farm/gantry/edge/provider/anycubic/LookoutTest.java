package farm.gantry.edge.provider.anycubic;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.Bench;
import farm.gantry.edge.discovery.Found;
import farm.gantry.edge.discovery.Looking;
import farm.gantry.edge.simulator.AnycubicSimulator;
import farm.gantry.edge.simulator.Beacon;
import farm.gantry.printer.Printer;
import java.util.List;
import org.junit.jupiter.api.Test;

class LookoutTest {
    @Test
    void aPrinterIsFoundByWhatItsAddressSaysButForItsToken() throws Exception {
        try (AnycubicSimulator simulator = new AnycubicSimulator(0, Bench.QUICK);
                Beacon beacon = simulator.beacon()) {
            assertThat(Looking.in(Lookout.asking(List.of(beacon.address()))))
                    .containsExactly(new Found(
                            Printer.Provider.anycubic,
                            "Anycubic Kobra 3",
                            "127.0.0.1",
                            18_910,
                            "SIMULATED",
                            "Anycubic Kobra 3"));
        }
    }
}
