package farm.gantry.edge.provider.elegoo;

import farm.gantry.edge.discovery.Discovery;
import farm.gantry.edge.http.PrinterHttp;
import farm.gantry.edge.printer.Bindings;
import farm.gantry.edge.printer.Connection;
import farm.gantry.edge.printer.Provider;
import farm.gantry.edge.provider.elegoo.ElegooSession.Rhythm;
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

/** Elegoo printers that have their own MQTT broker, register its clients, and print plain G-code only. */
public final class Elegoo implements Provider {
    private final HttpClient http = PrinterHttp.client();
    private final @Nullable Path folder;
    private final Rhythm rhythm;

    public Elegoo() {
        this(null, new Rhythm(Duration.ofSeconds(10), Duration.ofSeconds(20), Duration.ofSeconds(25)));
    }

    Elegoo(@Nullable Path folder, Rhythm rhythm) {
        this.folder = folder;
        this.rhythm = rhythm;
    }

    @Override
    public Provider keeping(Path agent) {
        return new Elegoo(agent.resolve(name().name()), rhythm);
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
        return List.of(ElegooDiscovery.everywhere());
    }

    @Override
    public int port(PrinterConfig config) {
        return ElegooAddress.of(config, "").port();
    }

    @Override
    public Connection connect(PrinterConfig config, String host, Listener listener) {
        Pin pin = new Pin(folder, config.deviceId(), "client");
        return new ElegooSession(http, ElegooAddress.of(config, host), pin, Bindings.of(config), rhythm, listener)
                .start();
    }
}
