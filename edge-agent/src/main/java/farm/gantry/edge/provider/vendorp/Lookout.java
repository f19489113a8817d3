package farm.gantry.edge.provider.vendorp;

import farm.gantry.edge.discovery.Discovery;
import farm.gantry.edge.discovery.Found;
import farm.gantry.edge.discovery.Mdns;
import farm.gantry.printer.Printer;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;

/** PrusaLink tells of itself as a web server like many others; its name gives it away, unless it was renamed. */
final class Lookout {
    private Lookout() {}

    static List<Discovery> asking(List<InetSocketAddress> to) {
        return List.of(Mdns.of("_prusalink._tcp", to, Lookout::found), Mdns.of("_http._tcp", to, Lookout::found));
    }

    private static Optional<Found> found(Mdns.Service service) {
        return service.isCalled("prusa")
                ? Optional.of(Found.of(
                        Printer.Provider.vendorP,
                        service.name(),
                        service.host(),
                        service.port(),
                        service.server(),
                        null))
                : Optional.empty();
    }
}
