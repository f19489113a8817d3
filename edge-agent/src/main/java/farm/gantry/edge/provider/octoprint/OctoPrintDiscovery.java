package farm.gantry.edge.provider.octoprint;

import farm.gantry.edge.discovery.DiscoveredPrinter;
import farm.gantry.edge.discovery.Discovery;
import farm.gantry.edge.discovery.MdnsDiscovery;
import farm.gantry.edge.discovery.SsdpMessage;
import farm.gantry.printer.Printer;
import java.net.DatagramPacket;
import java.net.URI;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Discovers OctoPrints whose discovery plugin is on, by multicast DNS and by SSDP, because many networks do not forward
 * multicast DNS. SSDP responses of other devices are recognized by their URL.
 */
final class OctoPrintDiscovery {
    private static final int SSDP = 1900;
    private static final String ANY_DEVICE = "upnp:rootdevice";
    static final String DESCRIPTION = "/plugin/discovery/discovery.xml";
    private static final Pattern NAMED = Pattern.compile("uuid:([0-9A-Za-z-]+)(?:::.*)?");

    private OctoPrintDiscovery() {}

    static List<Discovery> create() {
        return List.of(
                MdnsDiscovery.forServices(Printer.Provider.vendorB, "_octoprint._tcp"),
                Discovery.byQuery(
                        SsdpMessage.searchRequest(ANY_DEVICE),
                        List.of(SsdpMessage.multicastGroup(SSDP)),
                        OctoPrintDiscovery::parse));
    }

    private static Stream<DiscoveredPrinter> parse(DatagramPacket packet) {
        SsdpMessage reported = SsdpMessage.parse(packet);
        Matcher name = NAMED.matcher(reported.field("USN"));
        String location = reported.field("LOCATION");
        if (!location.endsWith(DESCRIPTION) || !name.matches()) {
            return Stream.empty();
        }
        int port = URI.create(location).getPort();
        return Stream.of(DiscoveredPrinter.of(
                Printer.Provider.vendorB,
                "OctoPrint",
                packet.getAddress().getHostAddress(),
                port < 0 ? OctoPrintAddress.HTTP : port,
                name.group(1),
                ""));
    }
}
