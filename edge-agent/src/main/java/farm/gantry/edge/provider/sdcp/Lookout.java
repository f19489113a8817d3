package farm.gantry.edge.provider.sdcp;

import farm.gantry.edge.discovery.Discovery;
import farm.gantry.edge.discovery.Found;
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

/** A word that these printers answer with what they are. */
final class Lookout {
    private static final byte[] WORD = "M99999".getBytes(StandardCharsets.US_ASCII);
    private static final InetSocketAddress EVERYBODY = new InetSocketAddress("255.255.255.255", 3000);

    private Lookout() {}

    static Discovery everywhere() {
        return Discovery.asking(WORD, List.of(EVERYBODY), Lookout::read);
    }

    /** Some tell it one level deeper. */
    private static Stream<Found> read(DatagramPacket packet) throws IOException {
        Map<String, Object> data = Tree.object(Json.tree(Discovery.text(packet)), "Data");
        Map<String, Object> told = data.containsKey("Attributes") ? Tree.object(data, "Attributes") : data;
        return told.containsKey("MainboardID")
                ? Stream.of(Found.of(
                        Printer.Provider.sdcp,
                        Tree.text(told, "Name"),
                        packet.getAddress().getHostAddress(),
                        Address.SDCP,
                        Tree.text(told, "MainboardID"),
                        Tree.text(told, "MachineName")))
                : Stream.empty();
    }
}
