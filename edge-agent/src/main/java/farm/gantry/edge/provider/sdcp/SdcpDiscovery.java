package farm.gantry.edge.provider.sdcp;

import farm.gantry.edge.discovery.DiscoveredPrinter;
import farm.gantry.edge.discovery.Discovery;
import farm.gantry.json.Json;
import farm.gantry.json.Tree;
import farm.gantry.printer.Printer;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Discovers SDCP printers by a UDP query, which they answer with their description. */
final class SdcpDiscovery {
    private static final byte[] WORD = "M99999".getBytes(StandardCharsets.US_ASCII);
    private static final InetSocketAddress EVERYBODY = new InetSocketAddress("255.255.255.255", 3000);

    private SdcpDiscovery() {}

    static Discovery create() {
        return Discovery.byQuery(WORD, List.of(EVERYBODY), SdcpDiscovery::parse);
    }

    /** Parses a response; some printers nest it one level deeper. */
    private static Stream<DiscoveredPrinter> parse(DatagramPacket packet) throws IOException {
        Map<String, Object> data = Tree.object(Json.tree(Discovery.text(packet)), "Data");
        Map<String, Object> reported = data.containsKey("Attributes") ? Tree.object(data, "Attributes") : data;
        return reported.containsKey("MainboardID")
                ? Stream.of(DiscoveredPrinter.of(
                        Printer.Provider.sdcp,
                        Tree.text(reported, "Name"),
                        packet.getAddress().getHostAddress(),
                        SdcpAddress.SDCP,
                        Tree.text(reported, "MainboardID"),
                        Tree.text(reported, "MachineName")))
                : Stream.empty();
    }
}
