package farm.gantry.edge.provider.anycubic;

import farm.gantry.edge.discovery.Discovery;
import farm.gantry.edge.http.PrinterHttp;
import farm.gantry.edge.mqtt.Trust;
import farm.gantry.edge.printer.Connection;
import farm.gantry.edge.printer.Provider;
import farm.gantry.edge.provider.anycubic.Conversation.Rhythm;
import farm.gantry.printer.Printer;
import farm.gantry.wire.LinkAnswer.PrinterConfig;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Printers that hand out the login to a broker of their own, as long as they are in LAN mode. */
public final class Anycubic implements Provider {
    private static final Rhythm USUAL = new Rhythm(Duration.ofSeconds(10), Duration.ofSeconds(25));

    private final HttpClient http = PrinterHttp.client();
    private final @Nullable Path folder;
    private final Rhythm rhythm;

    public Anycubic() {
        this(null, USUAL);
    }

    Anycubic(@Nullable Path folder, Rhythm rhythm) {
        this.folder = folder;
        this.rhythm = rhythm;
    }

    @Override
    public Provider keeping(Path agent) {
        return new Anycubic(agent.resolve(name().name()), rhythm);
    }

    @Override
    public Printer.Provider name() {
        return Printer.Provider.anycubic;
    }

    @Override
    public Set<Ability> abilities() {
        return EnumSet.of(
                Ability.print,
                Ability.pause,
                Ability.resume,
                Ability.cancel,
                Ability.setTemperature,
                Ability.setFan,
                Ability.light,
                Ability.layers);
    }

    @Override
    public List<Discovery> discoveries() {
        return List.of(Lookout.everywhere());
    }

    @Override
    public Connection connect(PrinterConfig config, Listener listener) {
        Address address = Address.of(config);
        Trust trust = Trust.ofAnyName(folder, address.deviceId());
        return Conversation.begin(http, address, trust, rhythm, listener);
    }
}
