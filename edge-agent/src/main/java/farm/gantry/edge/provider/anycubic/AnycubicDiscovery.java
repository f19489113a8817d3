package farm.gantry.edge.provider.anycubic;

import farm.gantry.edge.discovery.DiscoveredPrinter;
import farm.gantry.edge.discovery.Discovery;
import farm.gantry.edge.discovery.SsdpMessage;
import farm.gantry.printer.Printer;
import java.net.DatagramPacket;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Discovers Anycubic printers by SSDP. They answer a search with the URL of their description. */
final class AnycubicDiscovery {
    private static final int SSDP = 1900;
    private static final String KIND = "ac:3dprinter:fdm";
    private static final String NAMED = "uuid:fdm:";

    private AnycubicDiscovery() {}

    static Discovery create() {
        return Discovery.byQuery(
                SsdpMessage.searchRequest(KIND), List.of(SsdpMessage.multicastGroup(SSDP)), AnycubicDiscovery::parse);
    }

    private static Stream<DiscoveredPrinter> parse(DatagramPacket packet) {
        SsdpMessage reported = SsdpMessage.parse(packet);
        if (!reported.field("USN").startsWith(NAMED)) {
            return Stream.empty();
        }
        Map<String, String> description = fetchDescription(reported.field("LOCATION"));
        String model = description.getOrDefault("modelName", "");
        return Stream.of(DiscoveredPrinter.of(
                Printer.Provider.anycubic,
                description.getOrDefault("deviceName", model),
                packet.getAddress().getHostAddress(),
                AnycubicAddress.HTTP,
                description.getOrDefault("cn", reported.field("USN").substring(NAMED.length())),
                model));
    }

    /** Fetches a printer's description, without the printer's token that it contains. */
    private static Map<String, String> fetchDescription(String location) {
        String query = Objects.requireNonNullElse(URI.create(location).getRawQuery(), "");
        return Arrays.stream(query.split("&", -1))
                .filter(pair -> pair.indexOf('=') > 0)
                .collect(Collectors.toMap(
                        pair -> pair.substring(0, pair.indexOf('=')),
                        pair -> URLDecoder.decode(pair.substring(pair.indexOf('=') + 1), StandardCharsets.UTF_8),
                        (one, _) -> one));
    }
}
