package farm.gantry.edge.provider.octoprint;

import farm.gantry.edge.discovery.Discovery;
import farm.gantry.edge.http.PrinterHttp;
import farm.gantry.edge.http.PrinterRequest;
import farm.gantry.edge.printer.Bindings;
import farm.gantry.edge.printer.Connection;
import farm.gantry.edge.printer.Provider;
import farm.gantry.edge.trust.Pin;
import farm.gantry.edge.trust.Trust;
import farm.gantry.printer.Printer;
import farm.gantry.wire.LinkResponse.PrinterConfig;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Printers behind OctoPrint's HTTP API, which reports no layers or objects, and controls a light only if the printer's
 * bindings have G-code for it.
 */
public final class OctoPrint implements Provider {
    private final HttpClient http = PrinterHttp.client();
    private final @Nullable Path folder;
    private final Duration timeout;
    private final Set<String> cameraHosts;

    public OctoPrint() {
        this(null, PrinterRequest.QUERY_TIMEOUT);
    }

    OctoPrint(@Nullable Path folder, Duration timeout) {
        this(folder, timeout, Set.of());
    }

    private OctoPrint(@Nullable Path folder, Duration timeout, Set<String> cameraHosts) {
        this.folder = folder;
        this.timeout = timeout;
        this.cameraHosts = cameraHosts;
    }

    @Override
    public Provider keeping(Path agent) {
        return new OctoPrint(agent.resolve(name().name()), timeout, cameraHosts);
    }

    @Override
    public Provider withCameraHosts(Set<String> hosts) {
        return new OctoPrint(folder, timeout, hosts);
    }

    @Override
    public Printer.Provider name() {
        return Printer.Provider.vendorB;
    }

    @Override
    public Set<Ability> abilities() {
        return EnumSet.of(
                Ability.PRINT,
                Ability.PAUSE,
                Ability.PAUSE_WHILE_PREPARING,
                Ability.RESUME,
                Ability.CANCEL,
                Ability.GCODE,
                Ability.SET_TEMPERATURE,
                Ability.SET_FAN,
                Ability.RECALL,
                Ability.REMOVE_FILES,
                Ability.PRINT_COUNTER,
                Ability.EMERGENCY_STOP,
                Ability.CAMERA);
    }

    @Override
    public List<Discovery> discoveries() {
        return OctoPrintDiscovery.everywhere();
    }

    @Override
    public int port(PrinterConfig config) {
        return OctoPrintAddress.of(config, "").port();
    }

    @Override
    public Connection connect(PrinterConfig config, String host, Listener listener) {
        OctoPrintAddress address = OctoPrintAddress.of(config, host);
        HttpClient client = address.isSecure() ? PrinterHttp.client(Trust.ofWeb(folder, config.deviceId())) : http;
        Pin pin = new Pin(folder, config.deviceId(), "uuid");
        return new OctoPrintSession(
                        new OctoPrintClient(client, address, pin, timeout), Bindings.of(config), cameraHosts, listener)
                .start();
    }
}
