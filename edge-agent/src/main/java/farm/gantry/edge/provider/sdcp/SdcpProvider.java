package farm.gantry.edge.provider.sdcp;

import farm.gantry.edge.discovery.Discovery;
import farm.gantry.edge.http.PrinterHttp;
import farm.gantry.edge.printer.connection.PrinterBindings;
import farm.gantry.edge.printer.connection.PrinterConnection;
import farm.gantry.edge.printer.connection.Provider;
import farm.gantry.edge.trust.PinnedIdentity;
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
 * The provider of Elegoo printers that use the SDCP protocol over a WebSocket. They have no authentication, and execute
 * no G-code except from files.
 */
public final class SdcpProvider implements Provider {
    private static final Duration INTERVAL = Duration.ofSeconds(10);

    private final HttpClient http = PrinterHttp.client();
    private final @Nullable Path folder;
    private final Duration interval;

    public SdcpProvider() {
        this(null, INTERVAL);
    }

    SdcpProvider(@Nullable Path folder, Duration interval) {
        this.folder = folder;
        this.interval = interval;
    }

    @Override
    public Provider withDataFolder(Path agent) {
        return new SdcpProvider(agent.resolve(name().name()), interval);
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
        return List.of(SdcpDiscovery.create());
    }

    @Override
    public int port(PrinterConfig config) {
        return SdcpAddress.of(config, "").port();
    }

    @Override
    public PrinterConnection connect(PrinterConfig config, String host, Listener listener) {
        PinnedIdentity pin = new PinnedIdentity(folder, config.deviceId(), "mainboard");
        return new SdcpSession(http, SdcpAddress.of(config, host), pin, PrinterBindings.of(config), interval, listener)
                .start();
    }
}
