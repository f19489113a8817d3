package farm.gantry.api.http;

import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Locale;
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
