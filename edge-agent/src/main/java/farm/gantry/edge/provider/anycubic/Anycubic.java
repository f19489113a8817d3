package farm.gantry.edge.provider.anycubic;

import farm.gantry.edge.camera.Ffmpeg;
import farm.gantry.edge.discovery.Discovery;
import farm.gantry.edge.http.PrinterHttp;
import farm.gantry.edge.printer.Bindings;
import farm.gantry.edge.printer.Connection;
import farm.gantry.edge.printer.Provider;
import farm.gantry.edge.provider.anycubic.AnycubicSession.Rhythm;
import farm.gantry.edge.trust.Pin;
import farm.gantry.edge.trust.Trust;
import farm.gantry.printer.Printer;
import farm.gantry.wire.LinkResponse.PrinterConfig;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Anycubic printers in LAN mode, which issue the login to their own MQTT broker. */
public final class Anycubic implements Provider {
    private static final Rhythm USUAL = new Rhythm(Duration.ofSeconds(10), Duration.ofSeconds(25));

    private final HttpClient http = PrinterHttp.client();
    private final @Nullable Path folder;
    private final Rhythm rhythm;
    private final Ffmpeg ffmpeg;

    public Anycubic() {
        this(null, USUAL, new Ffmpeg(Ffmpeg.NAME));
    }

    Anycubic(@Nullable Path folder, Rhythm rhythm, Ffmpeg ffmpeg) {
        this.folder = folder;
        this.rhythm = rhythm;
        this.ffmpeg = ffmpeg;
    }

    @Override
    public Provider keeping(Path agent) {
        return new Anycubic(agent.resolve(name().name()), rhythm, ffmpeg);
    }

    @Override
    public Provider decoding(String program) {
        return new Anycubic(folder, rhythm, new Ffmpeg(program));
    }

    @Override
    public Printer.Provider name() {
        return Printer.Provider.anycubic;
    }

    /** The printer remembers only its last print, which it shows. */
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
                Ability.CAMERA);
    }

    @Override
    public List<Discovery> discoveries() {
        return List.of(AnycubicDiscovery.everywhere());
    }

    @Override
    public int port(PrinterConfig config) {
        return AnycubicAddress.of(config, "").port();
    }

    @Override
    public Connection connect(PrinterConfig config, String host, Listener listener) {
        AnycubicAddress address = AnycubicAddress.of(config, host);
        Trust trust = Trust.ofAnyName(folder, address.deviceId());
        Pin pin = new Pin(folder, address.deviceId(), "device");
        return new AnycubicSession(http, address, trust, pin, ffmpeg, Bindings.of(config), rhythm, listener).start();
    }
}
