package farm.gantry.edge.provider;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.Bench;
import farm.gantry.edge.Patience;
import farm.gantry.edge.printer.Connection;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.wire.Command;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FirmwareKTest implements ProviderContract {
    private final Bench bench = Bench.of(Printer.Provider.firmwareK, Bench.QUICK);

    @Override
    public Bench bench() {
        return bench;
    }

    @Test
    void aRestartedKlipperIsSubscribedToAgain() {
        Ear ear = new Ear();
        try (Connection _ = provider().connect(printer(), ear)) {
            ear.await(Status.idle);
            log().fail("mcu-shutdown");
            ear.await(Status.unknown);
            log().recover();
            Patience.until("Klipper is back", () -> ear.gaps() > 1 && ear.isSeen());
            assertThat(ear.last().status()).isEqualTo(Status.idle);
        }
    }

    @Test
    void linesOfGcodeAreRunInOrder() throws Exception {
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), ear)) {
            ear.await(Status.idle);
            connection.send(new Command.Send("gcode", Map.of("lines", List.of("G28", "G1 X1"))));
            connection.send(new Command.Send("led-control", Map.of("light", "caselight", "state", true)));
            connection.send(new Command.Send("skip-objects", Map.of("objectIds", List.of("CUBE_1"))));
            connection.send(new Command.Send("set-fan", Map.of("type", "part", "speed", 50)));
        }
        List<String> expected =
                List.of("G28", "G1 X1", "SET_PIN PIN=caselight VALUE=1", "EXCLUDE_OBJECT NAME=CUBE_1", "M106 S128");
        assertThat(log().scripts()).isEqualTo(expected);
    }
}
