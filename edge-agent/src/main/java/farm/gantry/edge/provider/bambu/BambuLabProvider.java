package farm.gantry.edge.provider.bambu;

import farm.gantry.edge.camera.Ffmpeg;
import farm.gantry.edge.discovery.Discovery;
import farm.gantry.edge.printer.connection.PrinterBindings;
import farm.gantry.edge.printer.connection.PrinterConnection;
import farm.gantry.edge.printer.connection.Provider;
import farm.gantry.edge.trust.PrinterTrust;
import farm.gantry.printer.Printer;
import farm.gantry.wire.LinkResponse.PrinterConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The provider of Bambu Lab printers, which have their own MQTT broker and FTPS server, and print only sliced 3MF
 * files.
 */
public final class BambuLabProvider implements Provider {
    private static final Duration SILENCE = Duration.ofSeconds(30);
    private static final int UNTIL_SHOWN = 10;

    private final @Nullable Path folder;
    private final Duration silence;
    private final Ffmpeg ffmpeg;

    public BambuLabProvider() {
        this(null, SILENCE, new Ffmpeg(Ffmpeg.NAME));
    }

    BambuLabProvider(@Nullable Path folder, Duration silence, Ffmpeg ffmpeg) {
        this.folder = folder;
        this.silence = silence;
        this.ffmpeg = ffmpeg;
    }

    @Override
    public Provider withDataFolder(Path agent) {
        return new BambuLabProvider(agent.resolve(name().name()), silence, ffmpeg);
    }

    @Override
    public Provider withVideoDecoder(String program) {
        return new BambuLabProvider(folder, silence, new Ffmpeg(program));
    }

    @Override
    public Printer.Provider name() {
        return Printer.Provider.vendorA;
    }

    /**
     * Omits {@link Ability#RECALL}: the printer stores only its last print, which its status shows together with the id
     * that the farm assigned.
     */
    @Override
    public Set<Ability> abilities() {
        return EnumSet.of(
                Ability.PRINT,
                Ability.PAUSE,
                Ability.RESUME,
                Ability.CANCEL,
                Ability.GCODE,
                Ability.SET_TEMPERATURE,
                Ability.SET_FAN,
                Ability.LIGHT,
                Ability.SKIP_OBJECTS,
                Ability.LAYERS,
                Ability.CAMERA,
                Ability.REMOVE_FILES,
                Ability.REPLAY,
                Ability.NAMES_NEXT,
                Ability.ARCHIVES);
    }

    /**
     * Returns a longer time, because the printer reads the project before it shows it: an H2D Pro for 55 seconds, a P1P
     * for more than two minutes.
     */
    @Override
    public Duration maxTimeUntilShown(Duration usual) {
        return usual.multipliedBy(UNTIL_SHOWN);
    }

    @Override
    public List<Discovery> discoveries() {
        return BambuLabDiscovery.create();
    }

    @Override
    public int port(PrinterConfig config) {
        return BambuLabAddress.of(config, "").port();
    }

    @Override
    public PrinterConnection connect(PrinterConfig config, String host, Listener listener) {
        BambuLabAddress address = BambuLabAddress.of(config, host);
        PrinterTrust trust = new PrinterTrust(folder, address.serial());
        return new BambuLabSession(address, trust, ffmpeg, PrinterBindings.of(config), silence, listener).start();
    }
}
