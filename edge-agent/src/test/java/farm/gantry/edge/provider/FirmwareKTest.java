package farm.gantry.edge.provider;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.Bench;
import farm.gantry.edge.Patience;
import farm.gantry.edge.printer.Connection;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.wire.Command;
import farm.gantry.wire.LinkAnswer.PrinterConfig;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FirmwareKTest implements PushSessionContract {
    private final Bench bench = Bench.of(Printer.Provider.firmwareK, Bench.QUICK);

    @Override
    public Bench bench() {
        return bench;
    }

    @Override
    public boolean tellsOfNoRoom() {
        return false;
    }

    @Test
    void aRestartedKlipperIsSubscribedToAgain() {
        Ear ear = new Ear();
        try (Connection _ = provider().connect(printer(), Bench.HOST, ear)) {
            ear.await(Status.idle);
            log().fail("mcu-shutdown");
            ear.await(Status.error);
            log().recover();
            Patience.until("Klipper is back", () -> ear.gaps() > 1 && ear.isSeen());
            assertThat(ear.last().status()).isEqualTo(Status.idle);
        }
    }

    @Test
    void aKlipperWithAFaultyConfigurationSaysWhyAndCanBeRestarted() throws Exception {
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), Bench.HOST, ear)) {
            ear.await(Status.idle);
            log().fail("config-error");
            Patience.until(
                    "the fault is told",
                    () -> ear.shows(reading -> !reading.errors().isEmpty()));
            assertThat(ear.last().status()).isEqualTo(Status.error);
            assertThat(ear.last().errors())
                    .singleElement()
                    .satisfies(fault ->
                            assertThat(fault.message()).isEqualTo("Option 'pin' in section 'fan' must be specified"));
            connection.send(new Command.Send("firmware-restart", Map.of()));
            Patience.until("it is well", () -> ear.shows(reading -> reading.status() == Status.idle));
        }
    }

    @Test
    void aKlipperThatIsFaultyFromTheStartIsSeen() {
        log().fail("config-error");
        Ear ear = new Ear();
        try (Connection _ = provider().connect(printer(), Bench.HOST, ear)) {
            ear.await(Status.error);
            assertThat(ear.last().errors()).hasSize(1);
            log().recover();
            ear.await(Status.idle);
        }
    }

    @Test
    void linesOfGcodeAreRunInOrder() throws Exception {
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), Bench.HOST, ear)) {
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

    @Test
    void aPrintersOwnBindingsAreWhatItHears() throws Exception {
        Map<String, Object> own = Map.of(
                "firmwareK",
                Map.of(
                        "components", Map.of("bed", Map.of("object", "plate")),
                        "commands", Map.of("setLight", Map.of("gcode", "LAMP {value}"))));
        PrinterConfig make = printer();
        PrinterConfig patched = new PrinterConfig(
                make.printerId(),
                make.deviceId(),
                make.name(),
                make.provider(),
                make.metadata(),
                null,
                null,
                null,
                own);
        Ear ear = new Ear();
        try (Connection connection = provider().connect(patched, Bench.HOST, ear)) {
            ear.await(Status.idle);
            connection.send(new Command.Send("set-temperature", Map.of("type", "bed", "temperature", 60)));
            connection.send(new Command.Send("led-control", Map.of("state", true)));
        }
        assertThat(log().scripts()).isEqualTo(List.of("SET_HEATER_TEMPERATURE HEATER=plate TARGET=60", "LAMP 1"));
    }
}
