package farm.gantry.edge.provider.bambu;

import farm.gantry.edge.discovery.DiscoveredPrinter;
import farm.gantry.edge.discovery.Discovery;
import farm.gantry.edge.discovery.SsdpMessage;
import farm.gantry.printer.Printer;
import java.net.DatagramPacket;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.stream.Stream;

/** Discovers Bambu Lab printers by SSDP. They announce themselves every 30 seconds, and answer searches. */
final class BambuLabDiscovery {
    private static final int NOTICES = 2021;
    private static final int SEARCHES = 1990;
    private static final String KIND = "urn:bambulab-com:device:3dprinter:1";

    private BambuLabDiscovery() {}

    static List<Discovery> create() {
        InetSocketAddress everybody = new InetSocketAddress("255.255.255.255", NOTICES);
        List<InetSocketAddress> to =
                List.of(SsdpMessage.multicastGroup(SEARCHES), SsdpMessage.multicastGroup(NOTICES), everybody);
        return List.of(
                Discovery.byQuery(SsdpMessage.searchRequest(KIND), to, BambuLabDiscovery::parse), listening(NOTICES));
    }

    static Discovery listening(int port) {
        return Discovery.byAnnouncement(port, BambuLabDiscovery::parse);
    }

    private static Stream<DiscoveredPrinter> parse(DatagramPacket packet) {
        SsdpMessage reported = SsdpMessage.parse(packet);
        return reported.isDeviceKind(KIND) && !reported.field("USN").isEmpty()
                ? Stream.of(DiscoveredPrinter.of(
                        Printer.Provider.vendorA,
                        reported.field("DevName.bambu.com"),
                        packet.getAddress().getHostAddress(),
                        BambuLabAddress.MQTT,
                        reported.field("USN"),
                        reported.field("DevModel.bambu.com")))
                : Stream.empty();
    }
}
