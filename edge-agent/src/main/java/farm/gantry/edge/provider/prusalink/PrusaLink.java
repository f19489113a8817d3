package farm.gantry.edge.provider.prusalink;

import farm.gantry.edge.discovery.Discovery;
import farm.gantry.edge.discovery.Mdns;
import farm.gantry.edge.http.PrinterHttp;
import farm.gantry.edge.http.PrinterRequest;
import farm.gantry.edge.printer.Connection;
import farm.gantry.edge.printer.Provider;
import farm.gantry.edge.time.Uptime;
import farm.gantry.edge.trust.Pin;
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

/** Printers behind PrusaLink's HTTP API, which has no G-code, heater, fan, light or object commands. */
public final class PrusaLink implements Provider {
    private final HttpClient http = PrinterHttp.client();
    private final @Nullable Path folder;
    private final Duration timeout;
    private final Supplier<Duration> uptime;

    public PrusaLink() {
        this(null, PrinterRequest.QUERY_TIMEOUT, Uptime::withSleep);
    }

    /** {@code uptime} as {@link Uptime#withSleep} returns it. */
    public PrusaLink(@Nullable Path folder, Duration timeout, Supplier<Duration> uptime) {
        this.folder = folder;
        this.timeout = timeout;
        this.uptime = uptime;
    }

    @Override
    public Provider keeping(Path agent) {
        return new PrusaLink(agent.resolve(name().name()), timeout, uptime);
    }

    @Override
    public Printer.Provider name() {
        return Printer.Provider.vendorP;
    }

    /** The printer has no history of prints, and reports their id only during a print. */
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

    /** Finds printers by the name of their web server, unless that was changed. */
    @Override
    public List<Discovery> discoveries() {
        return List.of(Mdns.of(name(), "_prusalink._tcp", "prusa"), Mdns.of(name(), "_http._tcp", "prusa"));
    }

    /** Slicers mistake a PrusaLink for an OctoPrint. */
    @Override
    public Set<Printer.Provider> imitates() {
        return Set.of(Printer.Provider.vendorB);
    }

    @Override
    public int port(PrinterConfig config) {
        return PrusaLinkAddress.of(config, "").port();
    }

    @Override
    public Connection connect(PrinterConfig config, String host, Listener listener) {
        PrusaLinkAddress address = PrusaLinkAddress.of(config, host);
        Pin pin = new Pin(folder, config.deviceId(), "serial");
        PrusaLinkClient client = new PrusaLinkClient(http, address, pin, timeout);
        return new PrusaLinkSession(client, address.pollInterval(), uptime, listener).start();
    }
}
