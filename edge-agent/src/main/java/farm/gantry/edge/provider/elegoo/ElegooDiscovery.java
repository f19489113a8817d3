package farm.gantry.edge.provider.elegoo;

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

/** Discovers Elegoo printers by a UDP query, which they answer with their description. */
final class ElegooDiscovery {
    private static final InetSocketAddress EVERYBODY = new InetSocketAddress("255.255.255.255", 52700);
    private static final byte[] QUESTION = "{\"id\":0,\"method\":7000}".getBytes(StandardCharsets.US_ASCII);

    private ElegooDiscovery() {}

    static Discovery create() {
        return Discovery.byQuery(QUESTION, List.of(EVERYBODY), ElegooDiscovery::parse);
    }

    private static Stream<DiscoveredPrinter> parse(DatagramPacket packet) throws IOException {
        Map<String, Object> reported = Tree.object(Json.tree(Discovery.text(packet)), "result");
        return reported.containsKey("sn")
                ? Stream.of(DiscoveredPrinter.of(
                        Printer.Provider.ELEGOO_MQTT,
                        Tree.text(reported, "host_name"),
                        packet.getAddress().getHostAddress(),
                        ElegooAddress.MQTT,
                        Tree.text(reported, "sn"),
                        Tree.text(reported, "machine_model")))
                : Stream.empty();
    }
}
