package farm.gantry.edge.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.printer.Printer;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DiscoveryTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    @Test
    void invalidResponsesAreIgnoredAndDuplicatesCountOnce() throws Exception {
        try (DatagramSocket printer = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> answer(printer, "nonsense", "a", "a", "b"));
            assertThat(asking((InetSocketAddress) printer.getLocalSocketAddress())
                            .findPrinters(TIMEOUT))
                    .extracting(DiscoveredPrinter::name)
                    .containsExactly("a", "b");
        }
    }

    @Test
    void discoveryWithoutANetworkFails() {
        InetSocketAddress nobody = new InetSocketAddress("0.0.0.0", 0);
        assertThatThrownBy(() -> asking(nobody).findPrinters(TIMEOUT)).isInstanceOf(IOException.class);
    }

    @Test
    void controlCharactersAreRemovedFromDiscoveredNames() {
        DiscoveredPrinter found = DiscoveredPrinter.of(
                Printer.Provider.sdcp, "\u001b[31mred\u202e\n ", "127.0.0.1", 1, null, "x".repeat(10_000));
        assertThat(found.name()).isEqualTo("[31mred");
        assertThat(found.deviceId()).isEmpty();
        assertThat(found.model()).hasSize(80);
    }

    private static Discovery asking(InetSocketAddress to) {
        return Discovery.byQuery("who?".getBytes(StandardCharsets.UTF_8), List.of(to), DiscoveryTest::read);
    }

    private static Stream<DiscoveredPrinter> read(DatagramPacket packet) throws IOException {
        String name = Discovery.text(packet);
        if (name.equals("nonsense")) {
            throw new IOException("it makes no sense");
        }
        return Stream.of(new DiscoveredPrinter(Printer.Provider.sdcp, name, "127.0.0.1", 1, name, ""));
    }

    private static void answer(DatagramSocket printer, String... words) {
        try {
            DatagramPacket question = new DatagramPacket(new byte[100], 100);
            printer.receive(question);
            for (String word : words) {
                byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
                printer.send(new DatagramPacket(bytes, bytes.length, question.getSocketAddress()));
            }
        } catch (IOException e) {
            // The test is over.
        }
    }
}
