package farm.gantry.edge.provider.klipper;

import farm.gantry.edge.discovery.Discovery;
import farm.gantry.edge.discovery.MdnsDiscovery;
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

/** The provider of Klipper printers, which are controlled through Moonraker's HTTP and WebSocket API. */
public final class KlipperProvider implements Provider {
    private static final Duration SILENCE = Duration.ofSeconds(20);

    private final HttpClient http = PrinterHttp.client();
    private final @Nullable Path folder;
    private final Duration silence;
    private final Set<String> cameraHosts;

    public KlipperProvider() {
        this(null, SILENCE);
    }

    KlipperProvider(@Nullable Path folder, Duration silence) {
        this(folder, silence, Set.of());
    }

    private KlipperProvider(@Nullable Path folder, Duration silence, Set<String> cameraHosts) {
        this.folder = folder;
        this.silence = silence;
        this.cameraHosts = cameraHosts;
    }

    @Override
    public Provider withDataFolder(Path agent) {
        return new KlipperProvider(agent.resolve(name().name()), silence, cameraHosts);
    }

    @Override
    public Provider withCameraHosts(Set<String> hosts) {
        return new KlipperProvider(folder, silence, hosts);
    }

    @Override
    public Printer.Provider name() {
        return Printer.Provider.firmwareK;
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
                Ability.LIGHT,
                Ability.SKIP_OBJECTS,
                Ability.LAYERS,
                Ability.RECALL,
                Ability.PRINT_COUNTER,
                Ability.COUNTS_STARTS,
                Ability.CAMERA,
                Ability.REMOVE_FILES,
                Ability.EMERGENCY_STOP);
    }

    /** Returns the discovery of printers for which {@code zeroconf} is enabled in Moonraker. */
    @Override
    public List<Discovery> discoveries() {
        return List.of(MdnsDiscovery.forServices(name(), "_moonraker._tcp"));
    }

    @Override
    public int port(PrinterConfig config) {
        return MoonrakerAddress.of(config, "").port();
    }

    @Override
    public PrinterConnection connect(PrinterConfig config, String host, Listener listener) {
        PinnedIdentity pin = new PinnedIdentity(folder, config.deviceId(), "json");
        return new MoonrakerSession(
                        http,
                        MoonrakerAddress.of(config, host),
                        pin,
                        PrinterBindings.of(config),
                        cameraHosts,
                        silence,
                        listener)
                .start();
    }
}
