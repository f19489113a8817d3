package farm.gantry.edge.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import farm.gantry.edge.PrinterFixture;
import farm.gantry.edge.discovery.DiscoveredPrinter;
import farm.gantry.edge.discovery.Discovery;
import farm.gantry.edge.discovery.RepeatedDiscovery;
import farm.gantry.printer.Printer;
import farm.gantry.simulator.network.DiscoveryResponder;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class DiscoveriesTest {
    private static final int ITS_OWN = 0;
    private static final String SERIAL = "SERIAL1";

    static Stream<Arguments> makes() {
        return Stream.of(
                arguments(Printer.Provider.firmwareK, "Moonraker Instance on simulated", ITS_OWN, "k-1", ""),
                arguments(Printer.Provider.vendorA, "Simulated", 8883, SERIAL, "C12"),
                arguments(Printer.Provider.vendorB, "OctoPrint \"Höhle\"", ITS_OWN, "octopi", "MK3"),
                arguments(Printer.Provider.vendorP, "Shelf 3", ITS_OWN, "prusa-mk4", ""),
                arguments(Printer.Provider.sdcp, "Simulated", 3030, PrinterFixture.KEY, "Centauri Carbon"),
                arguments(Printer.Provider.ELEGOO_MQTT, "Simulated", 1883, PrinterFixture.DEVICE, "Centauri Carbon 2"),
                arguments(Printer.Provider.anycubic, "Anycubic Kobra 3", 18_910, "SIMULATED", "Anycubic Kobra 3"));
    }

    @ParameterizedTest
    @MethodSource("makes")
    void printerOfEveryProviderIsDiscovered(Printer.Provider make, String name, int port, String deviceId, String model)
            throws Exception {
        try (PrinterFixture fixture = make == Printer.Provider.vendorA
                        ? PrinterFixture.vendorA(PrinterFixture.QUICK, SERIAL)
                        : PrinterFixture.of(make, PrinterFixture.QUICK);
                DiscoveryResponder responder = fixture.responder().start()) {
            Discovery[] ways = Providers.of(fixture.printer()).discoveries().stream()
                    .map(way -> way.withTarget(responder.address()))
                    .toArray(Discovery[]::new);
            // Other devices on the network send unrelated messages.
            responder.announce("no question", responder.address());
            int expected = port == ITS_OWN ? fixture.port() : port;
            assertThat(RepeatedDiscovery.in(ways))
                    .containsOnly(new DiscoveredPrinter(make, name, "127.0.0.1", expected, deviceId, model));
        }
    }
}
