package farm.gantry.edge.provider.sdcp;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.Bench;
import farm.gantry.edge.discovery.Found;
import farm.gantry.edge.discovery.Looking;
import farm.gantry.edge.simulator.Beacon;
import farm.gantry.edge.simulator.SdcpSimulator;
import farm.gantry.printer.Printer;
import java.util.List;
import org.junit.jupiter.api.Test;

class LookoutTest {
    @Test
    void aPrinterAnswersTheWordWithItsMainboard() throws Exception {
        try (SdcpSimulator simulator = new SdcpSimulator(0, Bench.QUICK, "board1");
                Beacon beacon = simulator.beacon()) {
            assertThat(Looking.in(Lookout.asking(List.of(beacon.address()))))
                    .containsExactly(new Found(
                            Printer.Provider.sdcp, "Simulated", "127.0.0.1", 3030, "board1", "Centauri Carbon"));
        }
    }
}
