package farm.gantry.ingest.stage;

import farm.gantry.ingest.bundle.Bundles;
import farm.gantry.ingest.slicer.Recipes;
import farm.gantry.ingest.slicer.Slicers;
import farm.gantry.ingest.tool.Tools;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** What a worker works with: how much it puts up with, its tools and its slicers. */
public record Toolchain(RunLimits limits, Tools tools, Slicers slicers, Clock clock) {
    /** Where a usual system keeps what its slicers know of printers. */
    public static final Map<String, Path> BUNDLES = Map.of("slicer3", Path.of("/usr/share/PrusaSlicer/profiles"));

    /** With the tools of a usual system. */
    public static Toolchain usual() {
        return of(RunLimits.USUAL, Tools.USUAL, () -> new Bundles(BUNDLES), Clock.systemUTC());
    }

    /** The bundles of slicers are many files, so they are read when the first profile needs them. */
    public static Toolchain of(RunLimits limits, Tools tools, Supplier<Bundles> bundles, Clock clock) {
        return new Toolchain(limits, tools, new Slicers(tools, new Recipes(once(bundles))), clock);
    }

    private static <T> Supplier<T> once(Supplier<T> source) {
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
