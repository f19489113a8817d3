package farm.gantry.edge.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.edge.Bench;
import farm.gantry.edge.FakeApi;
import farm.gantry.edge.Patience;
import farm.gantry.edge.discovery.DiscoveredPrinter;
import farm.gantry.edge.discovery.Discovery;
import farm.gantry.edge.discovery.Looking;
import farm.gantry.edge.printer.Connection;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.simulator.DiscoveryResponder;
import farm.gantry.simulator.OctoPrintSimulator;
import farm.gantry.wire.Command;
import farm.gantry.wire.LinkAnswer.PrinterConfig;
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
        try (Connection _ = provider().connect(stranger(), Bench.HOST, ear)) {
            Patience.until("it is told", () -> ear.losses() > 0);
            assertThat(ear.reason()).contains("does not accept the API key", "Invalid API key");
        }
    }

    @Test
    void aPrinterThatIsUnpluggedFromOctoPrintIsOffline() {
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), Bench.HOST, ear)) {
            ear.await(Status.idle);
            log().fail("unplugged");
            Patience.until("the loss is told", () -> ear.losses() > 0);
            assertThat(ear.reason()).contains("no connection to the printer", "Offline");
            assertThatThrownBy(() -> connection.start(FILE, null)).isInstanceOf(Refusal.class);
            log().recover();
            Patience.until("it is seen again", ear::isSeen);
        }
    }

    @Test
    void aPrinterThatIsSwitchedOnAfterOctoPrintIsConnectedTo() {
        log().fail("unplugged");
        Ear ear = new Ear();
        try (Connection _ = provider().connect(printer(), Bench.HOST, ear)) {
            Patience.until("it is offline", () -> ear.reason().contains("Offline"), ear::reason);
            log().fail("plugged-in");
            ear.await(Status.idle);
        }
    }

    @Test
    void aLineThatAPersonClosedStaysClosed() {
        Ear ear = new Ear();
        try (Connection _ = provider().connect(printer(), Bench.HOST, ear)) {
            ear.await(Status.idle);
            log().fail("disconnected");
            looksAgain(ear, 1);
            log().fail("unplugged");
            looksAgain(ear, 1);
            log().fail("plugged-in");
            looksAgain(ear, 2);
            assertThat(ear.isSeen()).isFalse();
        }
    }

    /** The second look begins after what was done before; each waits longer than the one before. */
    private static void looksAgain(Ear ear, int times) {
        int losses = ear.losses();
        Patience.until("it is looked again", () -> ear.losses() >= losses + times);
    }

    @Test
    void aPrinterThatWasThereBeforeTheAgentIsNotConnectedTo() {
        log().fail("disconnected");
        Ear ear = new Ear();
        try (Connection _ = provider().connect(printer(), Bench.HOST, ear)) {
            looksAgain(ear, 2);
            assertThat(ear.isSeen()).isFalse();
        }
    }

    @Test
    void aLightOfThePrintersOwnIsSwitchedAsItsBindingsTell() throws Exception {
        PrinterConfig usual = printer();
        PrinterConfig bound = new PrinterConfig(
                usual.printerId(),
                usual.deviceId(),
                usual.name(),
                usual.provider(),
                usual.metadata(),
                null,
                null,
                null,
                Map.of("vendorB", Map.of("components", Map.of("case", Map.of("gcode", "M355 S{value} P{level}")))));
        Ear ear = new Ear();
        try (Connection connection = provider().connect(bound, Bench.HOST, ear)) {
            ear.await(Status.idle);
            connection.send(new Command.Send("led-control", Map.of("light", "case", "state", true)));
            connection.send(new Command.Send("led-control", Map.of("light", "case", "state", "off")));
        }
        assertThat(log().scripts()).isEqualTo(List.of("M355 S1 P255", "M355 S0 P0"));
    }

    @Test
    void aCertificateOfItsOwnIsTakenTheFirstTimeAndNoOtherAfterwards(@TempDir Path folder) throws Exception {
        PrinterConfig config = FakeApi.vendorB(Bench.DEVICE, bench.port(), Bench.KEY, FakeApi.OFTEN, true);
        Ear ear = new Ear();
        try (Connection connection = provider().keeping(folder).connect(config, Bench.HOST, ear)) {
            ear.await(Status.idle);
            ProviderContract.begin(connection, folder);
            assertThat(log().starts()).isEqualTo(List.of(FILE));
            log().fail("other-certificate");
            Patience.until("it is told", () -> ear.reason().contains("another certificate"), ear::reason);
            assertThat(ear.isSeen()).isFalse();
        }
    }

    @Test
    void anotherPrintThanTheOneSeenIsLeftAlone(@TempDir Path folder) throws Exception {
        Ear ear = new Ear();
        PrinterConfig printer = FakeApi.vendorB(Bench.DEVICE, bench.port(), Bench.KEY, ProviderContract.UNASKED, false);
        try (Connection connection = provider().connect(printer, Bench.HOST, ear)) {
            ear.await(Status.idle);
            Path file = ProviderContract.file(folder);
            connection.upload(file, "", FILE);
            connection.upload(file, "", "somebodys.gcode");
            connection.start(FILE, null);
            ProviderContract.look(connection);
            Patience.until(
                    "the print is seen",
                    () -> ear.shows(reading -> reading.fileName().equals(FILE)));
            log().fail("finished");
            log().fail("started-at-screen");
            assertThatThrownBy(connection::cancel)
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("no longer has this job");
            connection.cancel();
            ProviderContract.look(connection);
            ear.await(Status.cancelled);
            assertThat(ear.last().fileName()).isEqualTo("somebodys.gcode");
        }
    }

    @Test
    void anOctoPrintIsFoundAmongAllDevicesToo() throws Exception {
        try (OctoPrintSimulator simulator = new OctoPrintSimulator(0, Bench.QUICK, Bench.KEY);
                DiscoveryResponder device = simulator.upnpResponder()) {
            List<Discovery> ways = provider().discoveries();
            assertThat(Looking.in(ways.getLast().to(device.address())))
                    .containsOnly(new DiscoveredPrinter(
                            Printer.Provider.vendorB, "OctoPrint", "127.0.0.1", simulator.port(), "5d6f0c2a-0001", ""));
        }
    }

    @Test
    void aFileThatOctoPrintDoesNotPrintIsRefusedAndOneInUseIsToBeTriedLater(@TempDir Path folder) throws Exception {
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), Bench.HOST, ear)) {
            ear.await(Status.idle);
            Path file = ProviderContract.file(folder);
            assertThatThrownBy(() -> connection.upload(file, "", "cube.step"))
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("invalid type");
            connection.upload(file, "", FILE);
            connection.start(FILE, null);
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
        try (Connection connection = provider().connect(printer(), Bench.HOST, ear)) {
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
