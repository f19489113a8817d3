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
 * not there. {@code trustsModels} runs models where there is no sandbox, as in a function's container, which holds nothing
 * but the tools.
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
    public static final String TRUST = "gantry.worker.allow-unsandboxed-models";

    /** Default time limit of CAD programs. A model that takes longer most often never ends. */
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

    /** The programs under their default commands. */
    public static final Tools DEFAULTS = configured(Map.of(), ToolLimits.DEFAULTS, CAD_TIME, false);

    /** Commands by the names above, their words separated by spaces. */
    public static Tools configured(
            Map<String, String> commands, ToolLimits limits, Duration cadTime, boolean trustsModels) {
        return configured(commands, limits, cadTime, trustsModels, Sandbox.hidingFolders(List.of()));
    }

    /** Commands that run in the sandbox. */
    public static Tools configured(
            Map<String, String> commands, ToolLimits limits, Duration cadTime, boolean trustsModels, Sandbox sandbox) {
        Set<String> unknown = new TreeSet<>(commands.keySet());
        unknown.removeAll(KEYS);
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("unknown tools of the worker: " + unknown);
        }
        return new Tools(
                tool("OpenSCAD", commands.getOrDefault("openscad", "openscad"), limits.within(cadTime), sandbox),
                tool(
                        "The reader of STEP",
                        commands.getOrDefault("tessellator", "prusa-slicer --export-stl --loglevel 1"),
                        limits.within(cadTime),
                        sandbox),
                tool("PrusaSlicer", commands.getOrDefault("prusaSlicer", "prusa-slicer"), limits, sandbox),
                optional("The command for CadQuery", commands.get("cadquery"), limits.within(cadTime), sandbox),
                optional("The command for build123d", commands.get("build123d"), limits.within(cadTime), sandbox),
                optional("OrcaSlicer", commands.get("orcaSlicer"), limits, sandbox),
                optional("Bambu Studio", commands.get("bambuStudio"), limits, sandbox),
                optional("SuperSlicer", commands.get("superSlicer"), limits, sandbox),
                trustsModels);
    }

    /** The warning for a machine that cannot isolate tools; empty for one that can. */
    public Optional<String> sandboxWarning() {
        if (openscad.isIsolated()) {
            return Optional.empty();
        }
        String reason =
                "Neither bubblewrap (bwrap) nor namespaces (unshare) work on this machine, so that tools see its files. ";
        return Optional.of(reason
                + (trustsModels
                        ? TRUST + "=true runs models that are programs (OpenSCAD, CadQuery, build123d) all the same."
                        : "Models that are programs (OpenSCAD, CadQuery, build123d) are refused; install bubblewrap, or"
                                + " set " + TRUST
                                + "=true (GANTRY_WORKER_ALLOW_UNSANDBOXED_MODELS in the environment), which lets"
                                + " models read any file that this user can read."));
    }

    private static @Nullable Tool optional(String name, @Nullable String command, ToolLimits limits, Sandbox sandbox) {
        return command == null || command.isBlank() ? null : tool(name, command, limits, sandbox);
    }

    private static Tool tool(String name, String command, ToolLimits limits, Sandbox sandbox) {
        return new Tool(name, List.of(command.strip().split("\\s+", -1)), limits, sandbox);
    }
}
