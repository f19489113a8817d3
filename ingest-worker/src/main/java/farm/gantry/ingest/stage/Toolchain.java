package farm.gantry.ingest.stage;

import farm.gantry.ingest.bundle.Bundles;
import farm.gantry.ingest.slicer.SliceSettingsResolver;
import farm.gantry.ingest.slicer.Slicers;
import farm.gantry.ingest.tool.Tools;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** The limits, tools, slicers and clock of a worker. */
public record Toolchain(RunLimits limits, Tools tools, Slicers slicers, Clock clock) {
    /** Default folders of the slicers' profile bundles. */
    public static final Map<String, Path> DEFAULT_BUNDLES =
            Map.of("slicer3", Path.of("/usr/share/PrusaSlicer/profiles"));

    /** With the tools of a usual system. */
    public static Toolchain defaults() {
        return of(RunLimits.DEFAULTS, Tools.DEFAULTS, () -> new Bundles(DEFAULT_BUNDLES), Clock.systemUTC());
    }

    /** The bundles of slicers are many files, so they are read when the first profile needs them. */
    public static Toolchain of(RunLimits limits, Tools tools, Supplier<Bundles> bundles, Clock clock) {
        return new Toolchain(limits, tools, new Slicers(tools, new SliceSettingsResolver(memoized(bundles))), clock);
    }

    private static <T> Supplier<T> memoized(Supplier<T> source) {
        var known = new AtomicReference<T>();
        return () -> {
            T found = known.get();
            if (found == null) {
                synchronized (known) {
                    found = known.get() == null ? source.get() : known.get();
                    known.set(found);
                }
            }
            return found;
        };
    }
}
