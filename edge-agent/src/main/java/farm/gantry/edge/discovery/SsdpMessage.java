package farm.gantry.edge.discovery;

import java.net.DatagramPacket;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** An SSDP message of a device: a response to a search, or an announcement. */
public record SsdpMessage(Map<String, String> fields) {

    /** Returns a search for all devices of a kind. */
    public static byte[] searchRequest(String kind) {
        return String.join(
                        "\r\n",
                        List.of(
                                "M-SEARCH * HTTP/1.1",
                                "HOST: 239.255.255.250:1900",
                                "MAN: \"ssdp:discover\"",
                                "MX: 1",
                                "ST: " + kind,
                                "",
                                ""))
                .getBytes(StandardCharsets.US_ASCII);
    }

    public static InetSocketAddress multicastGroup(int port) {
        return new InetSocketAddress("239.255.255.250", port);
    }

    public static SsdpMessage parse(DatagramPacket packet) {
        Map<String, String> fields = new HashMap<>();
        Discovery.text(packet)
                .lines()
                .skip(1)
                .filter(line -> line.indexOf(':') > 0)
                .forEach(line -> {
                    int colon = line.indexOf(':');
                    String name = line.substring(0, colon).strip().toLowerCase(Locale.ROOT);
                    fields.put(name, line.substring(colon + 1).strip());
                });
        return new SsdpMessage(fields);
    }

    /** Returns a field, empty without one. */
    public String field(String name) {
        return fields.getOrDefault(name.toLowerCase(Locale.ROOT), "");
    }

    /**
     * Returns whether the device is of this kind, which is in the ST field of a response and in the NT field of an
     * announcement.
     */
    public boolean isDeviceKind(String kind) {
        return kind.equals(field("ST")) || kind.equals(field("NT"));
    }
}
