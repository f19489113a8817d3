package farm.gantry.edge.provider.firmwarek;

import farm.gantry.edge.discovery.Discovery;
import farm.gantry.edge.discovery.Found;
import farm.gantry.edge.discovery.Mdns;
import farm.gantry.printer.Printer;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;

/** Moonraker tells of itself where its {@code zeroconf} is on. */
final class Lookout {
    private Lookout() {}

    static Discovery asking(List<InetSocketAddress> to) {
        return Mdns.of(
                "_moonraker._tcp",
                to,
                service -> Optional.of(Found.of(
                        Printer.Provider.firmwareK,
                        service.name(),
                        service.host(),
                        service.port(),
                        service.text().getOrDefault("uuid", service.server()),
                        null)));
    }
}
