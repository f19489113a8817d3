package farm.gantry.edge.provider.vendorb;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.Bench;
import farm.gantry.edge.discovery.Found;
import farm.gantry.edge.discovery.Looking;
import farm.gantry.edge.simulator.Beacon;
import farm.gantry.edge.simulator.OctoPrintSimulator;
import farm.gantry.printer.Printer;
import java.util.List;
import org.junit.jupiter.api.Test;

class LookoutTest {
    @Test
    void anOctoPrintIsFoundWithItsPrintersModel() throws Exception {
        try (OctoPrintSimulator simulator = new OctoPrintSimulator(0, Bench.QUICK, "octo");
                Beacon beacon = simulator.beacon()) {
            assertThat(Looking.in(Lookout.asking(List.of(beacon.address()))))
                    .containsExactly(new Found(
                            Printer.Provider.vendorB,
                            "OctoPrint \"Höhle\"",
                            "127.0.0.1",
                            simulator.port(),
                            "octopi",
                            "MK3"));
        }
    }
}
