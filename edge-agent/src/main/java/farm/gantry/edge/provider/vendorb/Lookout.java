package farm.gantry.edge.provider.vendorb;

import farm.gantry.edge.discovery.Discovery;
import farm.gantry.edge.discovery.Found;
import farm.gantry.edge.discovery.Mdns;
import farm.gantry.printer.Printer;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;

/** OctoPrint tells of itself, and of its printer's make where a person has said it. */
final class Lookout {
    private Lookout() {}

    static Discovery asking(List<InetSocketAddress> to) {
        return Mdns.of(
                "_octoprint._tcp",
                to,
                service -> Optional.of(Found.of(
                        Printer.Provider.vendorB,
                        service.name(),
                        service.host(),
                        service.port(),
                        service.text().getOrDefault("uuid", service.server()),
                        service.text().get("model"))));
    }
}
