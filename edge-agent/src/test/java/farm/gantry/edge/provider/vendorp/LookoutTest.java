package farm.gantry.edge.provider.vendorp;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.Bench;
import farm.gantry.edge.discovery.Discovery;
import farm.gantry.edge.discovery.Found;
import farm.gantry.edge.discovery.Looking;
import farm.gantry.edge.simulator.Beacon;
import farm.gantry.edge.simulator.PrusaLinkSimulator;
import farm.gantry.edge.simulator.PrusaLinkSimulator.Generation;
import farm.gantry.printer.Printer;
import java.util.List;
import org.junit.jupiter.api.Test;

class LookoutTest {
    @Test
    void aPrusaLinkIsFoundAmongTheWebServersByTheNameOfItsMachine() throws Exception {
        try (PrusaLinkSimulator simulator = new PrusaLinkSimulator(0, Bench.QUICK, Generation.firmware, "link");
                Beacon beacon = simulator.beacon()) {
            List<Discovery> ways = Lookout.asking(List.of(beacon.address()));
            assertThat(Looking.in(ways.toArray(Discovery[]::new)))
                    .containsExactly(new Found(
                            Printer.Provider.vendorP, "Shelf 3", "127.0.0.1", simulator.port(), "prusa-mk4", ""));
        }
    }
}
