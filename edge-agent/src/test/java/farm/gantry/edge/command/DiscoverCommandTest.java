package farm.gantry.edge.command;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.PrinterFixture;
import farm.gantry.edge.discovery.DiscoveredPrinter;
import farm.gantry.edge.discovery.Discovery;
import farm.gantry.edge.provider.Providers;
import farm.gantry.printer.Printer;
import farm.gantry.simulator.network.DiscoveryResponder;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class DiscoverCommandTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void printerFoundByTwoDiscoveryMethodsIsListedOnce() throws Exception {
        try (PrinterFixture elegoo = PrinterFixture.of(Printer.Provider.ELEGOO_MQTT, PrinterFixture.QUICK);
                PrinterFixture sdcp = PrinterFixture.of(Printer.Provider.sdcp, PrinterFixture.QUICK);
                DiscoveryResponder one = elegoo.responder().start();
                DiscoveryResponder other = sdcp.responder().start()) {
            Discovery query = way(elegoo, one.address());
            assertThat(discover(false, query, way(sdcp, other.address()), query))
                    .isZero();
        }
        assertThat(out).hasToString("""
                MAKE         NAME       ADDRESS         DEVICE ID  MODEL
                sdcp         Simulated  127.0.0.1:3030  the-key    Centauri Carbon
                elegoo-mqtt  Simulated  127.0.0.1:1883  k1         Centauri Carbon 2
                """);
    }

    @Test
    void prusaLinkIsNotListedAgainAsOctoPrint() throws Exception {
        DiscoveredPrinter link =
                new DiscoveredPrinter(Printer.Provider.vendorP, "Shelf 3", "10.0.0.3", 80, "shelf-3", "MK4");
        DiscoveredPrinter itself =
                new DiscoveredPrinter(Printer.Provider.vendorB, "Shelf 3", "10.0.0.3", 80, "shelf-3", "");
        DiscoveredPrinter beside =
                new DiscoveredPrinter(Printer.Provider.vendorB, "Shelf 4", "10.0.0.3", 5000, "shelf-4", "");
        try (PrinterFixture sdcp = PrinterFixture.of(Printer.Provider.sdcp, PrinterFixture.QUICK);
                DiscoveryResponder responder = sdcp.responder().start()) {
            byte[] question = "M99999".getBytes(StandardCharsets.UTF_8);
            discover(
                    false,
                    Discovery.byQuery(question, List.of(responder.address()), _ -> Stream.of(itself, link, beside)));
        }
        assertThat(out.toString())
                .containsOnlyOnce("Shelf 3")
                .contains("Shelf 4")
                .contains("vendorP");
    }

    @Test
    void jsonOptionPrintsPrintersAsJson() throws Exception {
        try (PrinterFixture sdcp = PrinterFixture.of(Printer.Provider.sdcp, PrinterFixture.QUICK);
                DiscoveryResponder responder = sdcp.responder().start()) {
            discover(true, way(sdcp, responder.address()));
        }
        assertThat(out.toString().strip())
                .isEqualTo("[{\"make\":\"sdcp\",\"name\":\"Simulated\",\"host\":\"127.0.0.1\",\"port\":3030,"
                        + "\"deviceId\":\"the-key\",\"model\":\"Centauri Carbon\"}]");
    }

    @Test
    void failedDiscoveryMethodIsReportedOnceAndTheOthersRun() throws Exception {
        InetSocketAddress nowhere = new InetSocketAddress("0.0.0.0", 0);
        try (PrinterFixture sdcp = PrinterFixture.of(Printer.Provider.sdcp, PrinterFixture.QUICK);
                DiscoveryResponder responder = sdcp.responder().start()) {
            assertThat(discover(false, way(sdcp, nowhere), way(sdcp, responder.address()), way(sdcp, nowhere)))
                    .isZero();
        }
        assertThat(err.toString()).containsOnlyOnce("A discovery method failed");
        assertThat(out.toString()).contains("Centauri Carbon");
    }

    @Test
    void emptyDiscoveryReportsThatNoPrinterAnswered() throws Exception {
        assertThat(discover(false)).isZero();
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).contains("No printer answered");
    }

    private static Discovery way(PrinterFixture fixture, InetSocketAddress to) {
        return Providers.of(fixture.printer()).discoveries().getFirst().withTarget(to);
    }

    private int discover(boolean json, Discovery... ways) throws InterruptedException {
        return new DiscoverCommand(Stream.of(ways).toList(), TIMEOUT, json)
                .run(new PrintWriter(out, true), new PrintWriter(err, true));
    }
}
