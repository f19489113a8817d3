package farm.gantry.edge.provider.bambu;

import farm.gantry.edge.camera.Ffmpeg;
import farm.gantry.edge.discovery.Discovery;
import farm.gantry.edge.printer.Bindings;
import farm.gantry.edge.printer.Connection;
import farm.gantry.edge.printer.Provider;
import farm.gantry.edge.trust.Trust;
import farm.gantry.printer.Printer;
import farm.gantry.wire.LinkResponse.PrinterConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Bambu Lab printers, which have their own MQTT broker and FTPS server, and print sliced 3MF only. */
public final class BambuLab implements Provider {
    private static final Duration SILENCE = Duration.ofSeconds(30);
    private static final int UNTIL_SHOWN = 10;

    private final @Nullable Path folder;
    private final Duration silence;
    private final Ffmpeg ffmpeg;

    public BambuLab() {
        this(null, SILENCE, new Ffmpeg(Ffmpeg.NAME));
    }

    BambuLab(@Nullable Path folder, Duration silence, Ffmpeg ffmpeg) {
        this.folder = folder;
        this.silence = silence;
        this.ffmpeg = ffmpeg;
    }

    @Override
    public Provider keeping(Path agent) {
        return new BambuLab(agent.resolve(name().name()), silence, ffmpeg);
    }

    @Override
    public Provider decoding(String program) {
        return new BambuLab(folder, silence, new Ffmpeg(program));
    }

    @Override
    public Printer.Provider name() {
        return Printer.Provider.vendorA;
    }

    /** The printer remembers only its last print, which it shows together with the id that the farm gave it. */
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

    /** The printer reads the project before it shows it: an H2D Pro for 55 seconds, a P1P for more than two minutes. */
    @Override
    public Duration untilShown(Duration usual) {
        return usual.multipliedBy(UNTIL_SHOWN);
    }

    @Override
    public List<Discovery> discoveries() {
        return BambuLabDiscovery.everywhere();
    }

    @Override
    public int port(PrinterConfig config) {
        return BambuLabAddress.of(config, "").port();
    }

    @Override
    public Connection connect(PrinterConfig config, String host, Listener listener) {
        BambuLabAddress address = BambuLabAddress.of(config, host);
        Trust trust = new Trust(folder, address.serial());
        return new BambuLabSession(address, trust, ffmpeg, Bindings.of(config), silence, listener).start();
    }
}
