package farm.gantry.edge.provider.bambu;

import farm.gantry.edge.discovery.DiscoveredPrinter;
import farm.gantry.edge.discovery.Discovery;
import farm.gantry.edge.discovery.SsdpMessage;
import farm.gantry.printer.Printer;
import java.net.DatagramPacket;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.stream.Stream;

/** Discovery by SSDP: these printers announce themselves every 30 seconds, and answer searches. */
final class BambuLabDiscovery {
    private static final int NOTICES = 2021;
    private static final int SEARCHES = 1990;
    private static final String KIND = "urn:bambulab-com:device:3dprinter:1";

    private BambuLabDiscovery() {}

    static List<Discovery> everywhere() {
        InetSocketAddress everybody = new InetSocketAddress("255.255.255.255", NOTICES);
        List<InetSocketAddress> to = List.of(SsdpMessage.group(SEARCHES), SsdpMessage.group(NOTICES), everybody);
        return List.of(Discovery.asking(SsdpMessage.search(KIND), to, BambuLabDiscovery::read), listening(NOTICES));
    }

    static Discovery listening(int port) {
        return Discovery.listening(port, BambuLabDiscovery::read);
    }

    private static Stream<DiscoveredPrinter> read(DatagramPacket packet) {
        SsdpMessage reported = SsdpMessage.of(packet);
        return reported.isOf(KIND) && !reported.field("USN").isEmpty()
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
