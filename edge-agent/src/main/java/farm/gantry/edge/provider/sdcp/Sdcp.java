package farm.gantry.edge.provider.sdcp;

import farm.gantry.edge.discovery.Discovery;
import farm.gantry.edge.http.PrinterHttp;
import farm.gantry.edge.printer.Bindings;
import farm.gantry.edge.printer.Connection;
import farm.gantry.edge.printer.Provider;
import farm.gantry.printer.Printer;
import farm.gantry.wire.LinkAnswer.PrinterConfig;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Printers that speak SDCP over a WebSocket; they let everybody in, and run no G-code but that of their files. */
public final class Sdcp implements Provider {
    private static final Duration INTERVAL = Duration.ofSeconds(10);

    private final HttpClient http = PrinterHttp.client();
    private final Duration interval;

    public Sdcp() {
        this(INTERVAL);
    }

    Sdcp(Duration interval) {
        this.interval = interval;
    }

    @Override
    public Printer.Provider name() {
        return Printer.Provider.sdcp;
    }

    @Override
    public Set<Ability> abilities() {
        return EnumSet.complementOf(
                EnumSet.of(Ability.GCODE, Ability.SKIP_OBJECTS, Ability.EMERGENCY_STOP, Ability.ARCHIVES));
    }

    @Override
    public List<Discovery> discoveries() {
        return List.of(SdcpDiscovery.everywhere());
    }

    @Override
    public int port(PrinterConfig config) {
        return SdcpAddress.of(config, "").port();
    }

    @Override
    public Connection connect(PrinterConfig config, String host, Listener listener) {
        return new SdcpSession(http, SdcpAddress.of(config, host), Bindings.of(config), interval, listener).start();
    }
}
