package farm.gantry.edge.provider.sdcp;

import farm.gantry.edge.discovery.Discovery;
import farm.gantry.edge.http.PrinterHttp;
import farm.gantry.edge.printer.Bindings;
import farm.gantry.edge.printer.Connection;
import farm.gantry.edge.printer.Provider;
import farm.gantry.edge.trust.Pin;
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
 * Elegoo printers that speak SDCP over a WebSocket; they have no authentication, and execute no G-code but that of
 * their files.
 */
public final class Sdcp implements Provider {
    private static final Duration INTERVAL = Duration.ofSeconds(10);

    private final HttpClient http = PrinterHttp.client();
    private final @Nullable Path folder;
    private final Duration interval;

    public Sdcp() {
        this(null, INTERVAL);
    }

    Sdcp(@Nullable Path folder, Duration interval) {
        this.folder = folder;
        this.interval = interval;
    }

    @Override
    public Provider keeping(Path agent) {
        return new Sdcp(agent.resolve(name().name()), interval);
    }

    @Override
    public Printer.Provider name() {
        return Printer.Provider.sdcp;
    }

    @Override
    public Set<Ability> abilities() {
        return EnumSet.of(
                Ability.PRINT,
                Ability.PAUSE,
                Ability.RESUME,
                Ability.CANCEL,
                Ability.SET_TEMPERATURE,
                Ability.SET_FAN,
                Ability.LIGHT,
                Ability.LAYERS,
                Ability.RECALL,
                Ability.PRINT_COUNTER,
                Ability.CAMERA,
                Ability.REMOVE_FILES);
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
        Pin pin = new Pin(folder, config.deviceId(), "mainboard");
        return new SdcpSession(http, SdcpAddress.of(config, host), pin, Bindings.of(config), interval, listener)
                .start();
    }
}
