package farm.gantry.edge.provider.anycubic;

import farm.gantry.edge.camera.Ffmpeg;
import farm.gantry.edge.discovery.Discovery;
import farm.gantry.edge.http.PrinterHttp;
import farm.gantry.edge.printer.connection.PrinterBindings;
import farm.gantry.edge.printer.connection.PrinterConnection;
import farm.gantry.edge.printer.connection.Provider;
import farm.gantry.edge.provider.anycubic.AnycubicSession.PollTiming;
import farm.gantry.edge.trust.PinnedIdentity;
import farm.gantry.edge.trust.PrinterTrust;
import farm.gantry.printer.Printer;
import farm.gantry.wire.LinkResponse.PrinterConfig;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The provider of Anycubic printers in LAN mode, which issue the login to their own MQTT broker. */
public final class AnycubicProvider implements Provider {
    private static final PollTiming USUAL = new PollTiming(Duration.ofSeconds(10), Duration.ofSeconds(25));

    private final HttpClient http = PrinterHttp.client();
    private final @Nullable Path folder;
    private final PollTiming rhythm;
    private final Ffmpeg ffmpeg;

    public AnycubicProvider() {
        this(null, USUAL, new Ffmpeg(Ffmpeg.NAME));
    }

    AnycubicProvider(@Nullable Path folder, PollTiming rhythm, Ffmpeg ffmpeg) {
        this.folder = folder;
        this.rhythm = rhythm;
        this.ffmpeg = ffmpeg;
    }

    @Override
    public Provider withDataFolder(Path agent) {
        return new AnycubicProvider(agent.resolve(name().name()), rhythm, ffmpeg);
    }

    @Override
    public Provider withVideoDecoder(String program) {
        return new AnycubicProvider(folder, rhythm, new Ffmpeg(program));
    }

    @Override
    public Printer.Provider name() {
        return Printer.Provider.anycubic;
    }

    /** Omits {@link Ability#RECALL}: the printer stores only its last print, which its status shows. */
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
        return List.of(AnycubicDiscovery.create());
    }

    @Override
    public int port(PrinterConfig config) {
        return AnycubicAddress.of(config, "").port();
    }

    @Override
    public PrinterConnection connect(PrinterConfig config, String host, Listener listener) {
        AnycubicAddress address = AnycubicAddress.of(config, host);
        PrinterTrust trust = PrinterTrust.withoutNameCheck(folder, address.deviceId());
        PinnedIdentity pin = new PinnedIdentity(folder, address.deviceId(), "device");
        return new AnycubicSession(http, address, trust, pin, ffmpeg, PrinterBindings.of(config), rhythm, listener)
                .start();
    }
}
