package farm.gantry.ingest.tool;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The programs of this worker. {@code openscad} renders OpenSCAD models, {@code tessellator} turns STEP into triangles as
 * {@code command --output out.stl in.step}, and {@code prusaSlicer} slices; {@code cadquery} and {@code build123d} run Python models as {@code command in.py parameters.json out.step},
 * and {@code orcaSlicer}, {@code bambuStudio} and {@code superSlicer} are the command lines of those. What is null is
 * not there. {@code trustsModels} lets models read any file where there is no sandbox, as in a function's container, which
 * holds nothing but the tools.
 */
public record Tools(
        Tool openscad,
        Tool tessellator,
        Tool prusaSlicer,
        @Nullable Tool cadquery,
        @Nullable Tool build123d,
        @Nullable Tool orcaSlicer,
        @Nullable Tool bambuStudio,
        @Nullable Tool superSlicer,
        boolean trustsModels) {
    /** The setting behind {@code trustsModels}. */
    public static final String TRUST = "gantry.worker.trust-models";

    /** A model that takes longer is most often one that never ends. */
    public static final Duration CAD_TIME = Duration.ofSeconds(60);

    /** The names above. */
    public static final Set<String> KEYS = Set.of(
            "openscad",
            "tessellator",
            "prusaSlicer",
            "cadquery",
            "build123d",
            "orcaSlicer",
            "bambuStudio",
            "superSlicer");

    /** Those that a usual system has, if it has them. */
    public static final Tools DEFAULTS = configured(Map.of(), Tool.Limits.DEFAULTS, CAD_TIME, false);

    /** Commands by the names above, their words separated by spaces. */
    public static Tools configured(
            Map<String, String> commands, Tool.Limits limits, Duration cadTime, boolean trustsModels) {
        Set<String> unknown = new TreeSet<>(commands.keySet());
        unknown.removeAll(KEYS);
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("no tools of the worker: " + unknown);
        }
        return new Tools(
                tool("OpenSCAD", commands.getOrDefault("openscad", "openscad"), limits.within(cadTime)),
                tool(
                        "The reader of STEP",
                        commands.getOrDefault("tessellator", "prusa-slicer --export-stl --loglevel 1"),
                        limits.within(cadTime)),
                tool("PrusaSlicer", commands.getOrDefault("prusaSlicer", "prusa-slicer"), limits),
                optional("The command for CadQuery", commands.get("cadquery"), limits.within(cadTime)),
                optional("The command for build123d", commands.get("build123d"), limits.within(cadTime)),
                optional("OrcaSlicer", commands.get("orcaSlicer"), limits),
                optional("Bambu Studio", commands.get("bambuStudio"), limits),
                optional("SuperSlicer", commands.get("superSlicer"), limits),
                trustsModels);
    }

    /** The warning for a machine that cannot isolate tools; empty for one that can. */
    public Optional<String> sandboxWarning() {
        return sandboxWarning(Tool.hidesFiles());
    }

    Optional<String> sandboxWarning(boolean hidesFiles) {
        if (hidesFiles) {
            return Optional.empty();
        }
        String reason =
                "Neither bubblewrap (bwrap) nor namespaces (unshare) work on this machine, so that tools see its files. ";
        return Optional.of(reason
                + (trustsModels
                        ? TRUST + "=true lets models in OpenSCAD read any of them all the same."
                        : "Models in OpenSCAD that include files outside their own folder are refused; install"
                                + " bubblewrap, or set " + TRUST + "=true (GANTRY_WORKER_TRUST_MODELS in the"
                                + " environment), which lets models read any file that this user can read."));
    }

    private static @Nullable Tool optional(String name, @Nullable String command, Tool.Limits limits) {
        return command == null || command.isBlank() ? null : tool(name, command, limits);
    }

    private static Tool tool(String name, String command, Tool.Limits limits) {
        return new Tool(name, List.of(command.strip().split("\\s+", -1)), limits);
    }
}
