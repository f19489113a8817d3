package farm.gantry.edge.provider.elegoo;

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

/** A question that these printers answer with what they are. */
final class Lookout {
    private static final InetSocketAddress EVERYBODY = new InetSocketAddress("255.255.255.255", 52700);
    private static final byte[] QUESTION = "{\"id\":0,\"method\":7000}".getBytes(StandardCharsets.US_ASCII);

    private Lookout() {}

    static Discovery everywhere() {
        return Discovery.asking(QUESTION, List.of(EVERYBODY), Lookout::read);
    }

    private static Stream<Found> read(DatagramPacket packet) throws IOException {
        Map<String, Object> told = Tree.object(Json.tree(Discovery.text(packet)), "result");
        return told.containsKey("sn")
                ? Stream.of(Found.of(
                        Printer.Provider.ELEGOO_MQTT,
                        Tree.text(told, "host_name"),
                        packet.getAddress().getHostAddress(),
                        Address.MQTT,
                        Tree.text(told, "sn"),
                        Tree.text(told, "machine_model")))
                : Stream.empty();
    }
}
