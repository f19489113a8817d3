package farm.gantry.edge.provider.vendora;

import farm.gantry.edge.discovery.Discovery;
import farm.gantry.edge.discovery.Found;
import farm.gantry.edge.discovery.Ssdp;
import farm.gantry.printer.Printer;
import java.net.DatagramPacket;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.stream.Stream;

/** These printers tell of themselves every half minute, and answer who asks for their kind. */
final class Lookout {
    private static final int NOTICES = 2021;
    private static final int SEARCHES = 1990;
    private static final String KIND = "urn:bambulab-com:device:3dprinter:1";

    private Lookout() {}

    static List<Discovery> everywhere() {
        InetSocketAddress everybody = new InetSocketAddress("255.255.255.255", NOTICES);
        List<InetSocketAddress> to = List.of(Ssdp.group(SEARCHES), Ssdp.group(NOTICES), everybody);
        return List.of(Discovery.asking(Ssdp.search(KIND), to, Lookout::read), listening(NOTICES));
    }

    static Discovery listening(int port) {
        return Discovery.listening(port, Lookout::read);
    }

    private static Stream<Found> read(DatagramPacket packet) {
        Ssdp told = Ssdp.of(packet);
        return told.isOf(KIND) && !told.field("USN").isEmpty()
                ? Stream.of(Found.of(
                        Printer.Provider.vendorA,
                        told.field("DevName.bambu.com"),
                        packet.getAddress().getHostAddress(),
                        Address.MQTT,
                        told.field("USN"),
                        told.field("DevModel.bambu.com")))
                : Stream.empty();
    }
}
