package farm.gantry.edge.provider.octoprint;

import farm.gantry.edge.discovery.Discovery;
import farm.gantry.edge.http.PrinterHttp;
import farm.gantry.edge.http.PrinterRequest;
import farm.gantry.edge.printer.connection.PrinterBindings;
import farm.gantry.edge.printer.connection.PrinterConnection;
import farm.gantry.edge.printer.connection.Provider;
import farm.gantry.edge.trust.PinnedIdentity;
import farm.gantry.edge.trust.PrinterTrust;
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
 * The provider of printers that are controlled through OctoPrint's HTTP API. OctoPrint reports no layers or objects,
 * and controls a light only if the printer's bindings have G-code for it.
 */
public final class OctoPrintProvider implements Provider {
    private final HttpClient http = PrinterHttp.client();
    private final @Nullable Path folder;
    private final Duration timeout;
    private final Set<String> cameraHosts;

    public OctoPrintProvider() {
        this(null, PrinterRequest.QUERY_TIMEOUT);
    }

    OctoPrintProvider(@Nullable Path folder, Duration timeout) {
        this(folder, timeout, Set.of());
    }

    private OctoPrintProvider(@Nullable Path folder, Duration timeout, Set<String> cameraHosts) {
        this.folder = folder;
        this.timeout = timeout;
        this.cameraHosts = cameraHosts;
    }

    @Override
    public Provider withDataFolder(Path agent) {
        return new OctoPrintProvider(agent.resolve(name().name()), timeout, cameraHosts);
    }

    @Override
    public Provider withCameraHosts(Set<String> hosts) {
        return new OctoPrintProvider(folder, timeout, hosts);
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
        return OctoPrintDiscovery.create();
    }

    @Override
    public int port(PrinterConfig config) {
        return OctoPrintAddress.of(config, "").port();
    }

    @Override
    public PrinterConnection connect(PrinterConfig config, String host, Listener listener) {
        OctoPrintAddress address = OctoPrintAddress.of(config, host);
        HttpClient client =
                address.isSecure() ? PrinterHttp.client(PrinterTrust.forWebServer(folder, config.deviceId())) : http;
        PinnedIdentity pin = new PinnedIdentity(folder, config.deviceId(), "uuid");
        return new OctoPrintSession(
                        new OctoPrintClient(client, address, pin, timeout),
                        PrinterBindings.of(config),
                        cameraHosts,
                        listener)
                .start();
    }
}
