package farm.gantry.edge.provider.firmwarek;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.Bench;
import farm.gantry.edge.discovery.Found;
import farm.gantry.edge.discovery.Looking;
import farm.gantry.edge.simulator.Beacon;
import farm.gantry.edge.simulator.Simulator;
import farm.gantry.printer.Printer;
import java.util.List;
import org.junit.jupiter.api.Test;

class LookoutTest {
    @Test
    void aMoonrakerIsFoundByItsServiceAndPort() throws Exception {
        try (Simulator simulator = new Simulator(0, Bench.QUICK, null);
                Beacon beacon = simulator.beacon()) {
            assertThat(Looking.in(Lookout.asking(List.of(beacon.address()))))
                    .containsExactly(new Found(
                            Printer.Provider.firmwareK,
                            "Moonraker Instance on simulated",
                            "127.0.0.1",
                            simulator.port(),
                            "k-1",
                            ""));
        }
    }
}
