package farm.gantry.edge.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.edge.Bench;
import farm.gantry.edge.Patience;
import farm.gantry.edge.printer.Connection;
import farm.gantry.edge.printer.Refusal;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.wire.Command;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VendorBTest implements ProviderContract {
    private final Bench bench = Bench.of(Printer.Provider.vendorB, Bench.QUICK);

    @Override
    public Bench bench() {
        return bench;
    }

    @Test
    void aRefusedKeyIsToldApartFromASilentPrinter() {
        Ear ear = new Ear();
        try (Connection _ = provider().connect(stranger(), ear)) {
            Patience.until("it is told", () -> ear.losses() > 0);
            assertThat(ear.reason()).contains("does not accept the API key", "Invalid API key");
        }
    }

    @Test
    void aPrinterThatIsUnpluggedFromOctoPrintIsOffline() {
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), ear)) {
            ear.await(Status.idle);
            log().fail("unplugged");
            Patience.until("the loss is told", () -> ear.losses() > 0);
            assertThat(ear.reason()).contains("no connection to the printer", "Offline");
            assertThatThrownBy(() -> connection.start(FILE)).isInstanceOf(Refusal.class);
            log().recover();
            Patience.until("it is seen again", ear::isSeen);
        }
    }

    @Test
    void anotherPrintThanTheOneSeenIsLeftAlone(@TempDir Path folder) throws Exception {
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), ear)) {
            ear.await(Status.idle);
            Path file = ProviderContract.file(folder);
            connection.upload(file, "", FILE);
            connection.upload(file, "", "somebodys.gcode");
            connection.start(FILE);
            ear.await(Status.preparing);
            log().fail("finished");
            log().fail("started-at-screen");
            assertThatThrownBy(connection::cancel)
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("no longer has this job");
            connection.cancel();
            ear.await(Status.failed);
            assertThat(ear.last().fileName()).isEqualTo("somebodys.gcode");
        }
    }

    @Test
    void aFileThatOctoPrintDoesNotPrintIsRefusedAndOneInUseIsToBeTriedLater(@TempDir Path folder) throws Exception {
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), ear)) {
            ear.await(Status.idle);
            Path file = ProviderContract.file(folder);
            assertThatThrownBy(() -> connection.upload(file, "", "cube.step"))
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("invalid type");
            connection.upload(file, "", FILE);
            connection.start(FILE);
            assertThatThrownBy(() -> connection.upload(file, "", FILE))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("currently being printed");
        }
    }

    @Test
    void aPersonsCommandsArriveInOrder() throws Exception {
        List<Command.Send> commands = List.of(
                new Command.Send("gcode", Map.of("lines", "M117 a\nM117 b\n")),
                new Command.Send("gcode", Map.of("lines", List.of("G28", "G1 X1"))),
                new Command.Send("set-fan", Map.of("type", "part", "speed", 50)),
                new Command.Send("set-temperature", Map.of("type", "nozzle", "temperature", 205)),
                new Command.Send("set-temperature", Map.of("type", "nozzle", "extruderIndex", 1, "temperature", 60)),
                new Command.Send("home-axis", Map.of("axes", "XY")),
                new Command.Send("home-axis", Map.of()),
                new Command.Send("move-axis", Map.of("axes", Map.of("X", 10, "z", -2.5))),
                new Command.Send("select-tool", Map.of("toolIndex", 1)),
                new Command.Send("extrude-filament", Map.of("amount", 5)));
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), ear)) {
            ear.await(Status.idle);
            for (Command.Send command : commands) {
                connection.send(command);
            }
        }
        assertThat(log().scripts())
                .isEqualTo(List.of(
                        "M117 a",
                        "M117 b",
                        "G28",
                        "G1 X1",
                        "M106 S128",
                        "M104 T0 S205.0",
                        "M104 T1 S60.0",
                        "G28 x y",
                        "G28 x y z",
                        "G1 x10 z-2.5",
                        "T1",
                        "G1 E5.0"));
    }

    @Override
    public List<Command.Send> impossible() {
        return List.of(
                new Command.Send("led-control", Map.of("light", "a", "state", true)),
                new Command.Send("set-fan", Map.of("type", "chamber", "speed", 50)),
                new Command.Send("set-temperature", Map.of("type", "spoon", "temperature", 50)),
                new Command.Send("set-temperature", Map.of("type", "bed", "temperature", "hot")),
                new Command.Send("home-axis", Map.of("axes", "XW")),
                new Command.Send("move-axis", Map.of("axes", Map.of("x", "far"))));
    }
}
