package farm.gantry.edge.provider.elegoo;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.Bench;
import farm.gantry.edge.discovery.Found;
import farm.gantry.edge.discovery.Looking;
import farm.gantry.edge.simulator.Beacon;
import farm.gantry.edge.simulator.ElegooSimulator;
import farm.gantry.printer.Printer;
import java.util.List;
import org.junit.jupiter.api.Test;

class LookoutTest {
    @Test
    void aPrinterAnswersTheQuestionWithItsSerialNumber() throws Exception {
        try (ElegooSimulator simulator = new ElegooSimulator(0, Bench.QUICK, "serial1", "code");
                Beacon beacon = simulator.beacon()) {
            assertThat(Looking.in(Lookout.asking(List.of(beacon.address()))))
                    .containsExactly(new Found(
                            Printer.Provider.ELEGOO_MQTT,
                            "Simulated",
                            "127.0.0.1",
                            1883,
                            "serial1",
                            "Centauri Carbon 2"));
        }
    }
}
