package farm.gantry.edge.provider.bambu;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.Eventually;
import farm.gantry.edge.PrinterFixture;
import farm.gantry.edge.discovery.DiscoveredPrinter;
import farm.gantry.edge.discovery.Discovery;
import farm.gantry.edge.discovery.RepeatedDiscovery;
import farm.gantry.printer.Printer;
import farm.gantry.simulator.bambu.BambuSimulator;
import farm.gantry.simulator.network.DiscoveryResponder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class BambuLabDiscoveryTest {
    private static final DiscoveredPrinter PRINTER =
            new DiscoveredPrinter(Printer.Provider.vendorA, "Simulated", "127.0.0.1", 8883, "SERIAL1", "C12");

    @Test
    void printerIsDiscoveredByItsAnnouncement() throws Exception {
        try (BambuSimulator simulator = new BambuSimulator(0, PrinterFixture.QUICK, "SERIAL1", "code");
                DiscoveryResponder responder = simulator.discoveryResponder()) {
            InetSocketAddress notices = new InetSocketAddress(InetAddress.getLoopbackAddress(), free());
            Discovery listening = BambuLabDiscovery.listening(notices.getPort());
            CompletableFuture<List<DiscoveredPrinter>> heard =
                    CompletableFuture.supplyAsync(() -> RepeatedDiscovery.in(listening));
            Eventually.until("it was heard", () -> {
                announce(responder, simulator.announcement(), notices);
                return heard.isDone();
            });
            assertThat(heard.join()).containsExactly(PRINTER);
        }
    }

    private static void announce(DiscoveryResponder responder, String notice, InetSocketAddress to) {
        try {
            responder.announce(notice, to);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int free() throws Exception {
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
