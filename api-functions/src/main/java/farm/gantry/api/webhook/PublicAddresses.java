package farm.gantry.api.webhook;

import farm.gantry.api.http.address.AddressRange;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;

/** Recognises public Internet addresses; deliveries to others would expose the internal network. */
final class PublicAddresses {
    private static final List<AddressRange> RESERVED = ranges(
            "0.0.0.0/8", // this network
            "10.0.0.0/8",
            "100.64.0.0/10", // carrier-grade NAT
            "127.0.0.0/8",
            "169.254.0.0/16", // link-local, and cloud metadata services
            "172.16.0.0/12",
            "192.0.0.0/24",
            "192.0.2.0/24", // documentation
            "192.88.99.0/24",
            "192.168.0.0/16",
            "198.18.0.0/15", // benchmarks
            "198.51.100.0/24", // documentation
            "203.0.113.0/24", // documentation
            "224.0.0.0/4", // multicast
            "240.0.0.0/4",
            "2001::/23", // tunnels and other protocols
            "2001:db8::/32", // documentation
            "2002::/16"); // contains an IPv4 address
    /**
     * Global unicast ranges. All public IPv6 addresses are in 2000::/3; others are loopback, local, multicast or
     * mapped.
     */
    private static final List<AddressRange> UNICAST = ranges("0.0.0.0/0", "2000::/3");
    /** NAT64 prefix (RFC 6052) with an IPv4 address in the last 32 bits, as DNS64 returns to IPv6-only networks. */
    private static final AddressRange TRANSLATED =
            AddressRange.parse("64:ff9b::/96").orElseThrow();

    private PublicAddresses() {}

    private static List<AddressRange> ranges(String... texts) {
        return List.of(texts).stream()
                .map(text -> AddressRange.parse(text).orElseThrow())
                .toList();
    }

    static boolean contains(InetAddress address) {
        if (TRANSLATED.contains(address)) {
            return contains(embeddedIpv4(address));
        }
        return UNICAST.stream().anyMatch(range -> range.contains(address))
                && RESERVED.stream().noneMatch(range -> range.contains(address));
    }

    private static InetAddress embeddedIpv4(InetAddress address) {
        byte[] bytes = address.getAddress();
        try {
            return InetAddress.getByAddress(Arrays.copyOfRange(bytes, bytes.length - Integer.BYTES, bytes.length));
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e); // four bytes are always an address
        }
    }
}
