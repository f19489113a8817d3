package farm.gantry.edge.provider.elegoo;

import farm.gantry.edge.discovery.Discovery;
import farm.gantry.edge.http.PrinterHttp;
import farm.gantry.edge.printer.connection.PrinterBindings;
import farm.gantry.edge.printer.connection.PrinterConnection;
import farm.gantry.edge.printer.connection.Provider;
import farm.gantry.edge.provider.elegoo.ElegooSession.PollTiming;
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
 * The provider of Elegoo printers that have their own MQTT broker, at which clients must register, and print only plain
 * G-code.
 */
public final class ElegooProvider implements Provider {
    private final HttpClient http = PrinterHttp.client();
    private final @Nullable Path folder;
    private final PollTiming rhythm;

    public ElegooProvider() {
        this(null, new PollTiming(Duration.ofSeconds(10), Duration.ofSeconds(20), Duration.ofSeconds(25)));
    }

    ElegooProvider(@Nullable Path folder, PollTiming rhythm) {
        this.folder = folder;
        this.rhythm = rhythm;
    }

    @Override
    public Provider withDataFolder(Path agent) {
        return new ElegooProvider(agent.resolve(name().name()), rhythm);
    }

    @Override
    public Printer.Provider name() {
        return Printer.Provider.ELEGOO_MQTT;
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
                Ability.REMOVE_FILES,
                Ability.PRINT_COUNTER,
                Ability.CAMERA);
    }

    @Override
    public List<Discovery> discoveries() {
        return List.of(ElegooDiscovery.create());
    }

    @Override
    public int port(PrinterConfig config) {
        return ElegooAddress.of(config, "").port();
    }

    @Override
    public PrinterConnection connect(PrinterConfig config, String host, Listener listener) {
        PinnedIdentity pin = new PinnedIdentity(folder, config.deviceId(), "client");
        return new ElegooSession(
                        http, ElegooAddress.of(config, host), pin, PrinterBindings.of(config), rhythm, listener)
                .start();
    }
}
