package farm.gantry.edge.provider.prusalink;

import farm.gantry.edge.discovery.Discovery;
import farm.gantry.edge.discovery.MdnsDiscovery;
import farm.gantry.edge.http.PrinterHttp;
import farm.gantry.edge.http.PrinterRequest;
import farm.gantry.edge.printer.connection.PrinterConnection;
import farm.gantry.edge.printer.connection.Provider;
import farm.gantry.edge.time.Uptime;
import farm.gantry.edge.trust.PinnedIdentity;
import farm.gantry.printer.Printer;
import farm.gantry.wire.LinkResponse.PrinterConfig;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The provider of printers that are controlled through PrusaLink's HTTP API, which has no G-code, heater, fan, light or
 * object commands.
 */
public final class PrusaLinkProvider implements Provider {
    private final HttpClient http = PrinterHttp.client();
    private final @Nullable Path folder;
    private final Duration timeout;
    private final Supplier<Duration> uptime;

    public PrusaLinkProvider() {
        this(null, PrinterRequest.QUERY_TIMEOUT, Uptime::withSleep);
    }

    /** Creates the provider; {@code uptime} is {@link Uptime#withSleep}. */
    public PrusaLinkProvider(@Nullable Path folder, Duration timeout, Supplier<Duration> uptime) {
        this.folder = folder;
        this.timeout = timeout;
        this.uptime = uptime;
    }

    @Override
    public Provider withDataFolder(Path agent) {
        return new PrusaLinkProvider(agent.resolve(name().name()), timeout, uptime);
    }

    @Override
    public Printer.Provider name() {
        return Printer.Provider.vendorP;
    }

    /**
     * Omits {@link Ability#RECALL} and {@link Ability#PRINT_COUNTER}: the printer has no history of prints, and reports
     * their id only during a print.
     */
    @Override
    public Set<Ability> abilities() {
        return EnumSet.of(
                Ability.PRINT,
                Ability.PAUSE,
                Ability.RESUME,
                Ability.CANCEL,
                Ability.FORGETS_PRINTS,
                Ability.REMOVE_FILES,
                Ability.CAMERA);
    }

    /** Returns the discovery by the name of the web server, which does not find printers whose name was changed. */
    @Override
    public List<Discovery> discoveries() {
        return List.of(
                MdnsDiscovery.forServices(name(), "_prusalink._tcp", "prusa"),
                MdnsDiscovery.forServices(name(), "_http._tcp", "prusa"));
    }

    /** Returns OctoPrint, because PrusaLink announces itself as an OctoPrint to slicers. */
    @Override
    public Set<Printer.Provider> alsoDiscoveredAs() {
        return Set.of(Printer.Provider.vendorB);
    }

    @Override
    public int port(PrinterConfig config) {
        return PrusaLinkAddress.of(config, "").port();
    }

    @Override
    public PrinterConnection connect(PrinterConfig config, String host, Listener listener) {
        PrusaLinkAddress address = PrusaLinkAddress.of(config, host);
        PinnedIdentity pin = new PinnedIdentity(folder, config.deviceId(), "serial");
        PrusaLinkClient client = new PrusaLinkClient(http, address, pin, timeout);
        return new PrusaLinkSession(client, address.pollInterval(), uptime, listener).start();
    }
}
