package farm.gantry.edge.provider.klipper;

import farm.gantry.edge.discovery.Discovery;
import farm.gantry.edge.discovery.Mdns;
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

/** Klipper printers through Moonraker's HTTP and WebSocket API. */
public final class Klipper implements Provider {
    private static final Duration SILENCE = Duration.ofSeconds(20);

    private final HttpClient http = PrinterHttp.client();
    private final @Nullable Path folder;
    private final Duration silence;
    private final Set<String> cameraHosts;

    public Klipper() {
        this(null, SILENCE);
    }

    Klipper(@Nullable Path folder, Duration silence) {
        this(folder, silence, Set.of());
    }

    private Klipper(@Nullable Path folder, Duration silence, Set<String> cameraHosts) {
        this.folder = folder;
        this.silence = silence;
        this.cameraHosts = cameraHosts;
    }

    @Override
    public Provider keeping(Path agent) {
        return new Klipper(agent.resolve(name().name()), silence, cameraHosts);
    }

    @Override
    public Provider withCameraHosts(Set<String> hosts) {
        return new Klipper(folder, silence, hosts);
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

    /** Finds printers for which {@code zeroconf} is enabled in Moonraker. */
    @Override
    public List<Discovery> discoveries() {
        return List.of(Mdns.of(name(), "_moonraker._tcp"));
    }

    @Override
    public int port(PrinterConfig config) {
        return MoonrakerAddress.of(config, "").port();
    }

    @Override
    public Connection connect(PrinterConfig config, String host, Listener listener) {
        Pin pin = new Pin(folder, config.deviceId(), "json");
        return new MoonrakerSession(
                        http,
                        MoonrakerAddress.of(config, host),
                        pin,
                        Bindings.of(config),
                        cameraHosts,
                        silence,
                        listener)
                .start();
    }
}
