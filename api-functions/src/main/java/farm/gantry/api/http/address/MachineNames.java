package farm.gantry.api.http.address;

import jakarta.inject.Singleton;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Names of this machine: loopback names, its host name and the addresses of its interfaces. */
@Singleton
public final class MachineNames {
    private final Set<String> names = names();

    private static Set<String> names() {
        try {
            String name = InetAddress.getLocalHost().getHostName().toLowerCase(Locale.ROOT);
            return Set.of("localhost", name, name + ".local");
        } catch (UnknownHostException | IllegalArgumentException e) {
            return Set.of("localhost");
        }
    }

    /**
     * Returns the address at which other devices of the network find this machine, empty if it has none. An IPv4 address
     * of a private network comes first.
     */
    public Optional<InetAddress> networkAddress() {
        try {
            return NetworkInterface.networkInterfaces()
                    .filter(MachineNames::isOnNetwork)
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
                    .min(Comparator.comparing((InetAddress address) -> address instanceof Inet6Address)
                            .thenComparing(address -> !address.isSiteLocalAddress()));
        } catch (SocketException e) {
            return Optional.empty();
        }
    }

    private static boolean isOnNetwork(NetworkInterface each) {
        try {
            return each.isUp() && !each.isLoopback() && !each.isPointToPoint() && !each.isVirtual();
        } catch (SocketException e) {
            return false;
        }
    }

    /** Whether the host, a name or an address literal, is this machine. */
    public boolean contains(String host) {
        String name = host.toLowerCase(Locale.ROOT);
        if (names.contains(name)) {
            return true;
        }
        try {
            InetAddress address = InetAddress.ofLiteral(name.replaceAll("[\\[\\]]", ""));
            return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
        } catch (IllegalArgumentException | SocketException e) {
            return false;
        }
    }
}
