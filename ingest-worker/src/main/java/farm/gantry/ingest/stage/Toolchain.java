package farm.gantry.ingest.stage;

import farm.gantry.ingest.bundle.ProfileBundles;
import farm.gantry.ingest.slicer.SliceSettingsResolver;
import farm.gantry.ingest.slicer.Slicers;
import farm.gantry.ingest.tool.Tools;
import io.micronaut.core.util.SupplierUtil;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.function.Supplier;

/** The limits, tools, slicers and clock of a worker. */
public record Toolchain(RunLimits limits, Tools tools, Slicers slicers, Clock clock) {
    /** Default folders of the slicers' profile bundles. */
    public static final Map<String, Path> DEFAULT_BUNDLES =
            Map.of("slicer3", Path.of("/usr/share/PrusaSlicer/profiles"));

    /** The bundles of slicers are many files, so they are read when the first profile needs them. */
    public static Toolchain of(RunLimits limits, Tools tools, Supplier<ProfileBundles> bundles, Clock clock) {
        return new Toolchain(
                limits, tools, new Slicers(tools, new SliceSettingsResolver(SupplierUtil.memoized(bundles))), clock);
    }
}
