package farm.gantry.ingest.function;

import farm.gantry.ingest.bundle.ProfileBundles;
import farm.gantry.ingest.stage.RunLimits;
import farm.gantry.ingest.stage.Toolchain;
import farm.gantry.ingest.tool.ToolLimits;
import farm.gantry.ingest.tool.Tools;
import farm.gantry.part.PartMetadata.Engine;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The function's settings from its environment: the bucket of the files, the queues of the answers, its work folder,
 * and its tools. A setting that also exists on one machine has the same name.
 */
public record FunctionSettings(
        String region, String bucket, String stageReports, String sliceAnswers, Path folder, Toolchain toolchain) {

    public static FunctionSettings read(Map<String, String> environment) {
        var variables = new EnvironmentVariables(environment);
        String region = variables.required("AWS_REGION");
        String bucket = variables.required("GANTRY_FILES_BUCKET");
        String stageReports = variables.fifoQueue("GANTRY_QUEUES_STAGE_REPORTS");
        String sliceAnswers = variables.required("GANTRY_QUEUES_SLICE_ANSWERS");
        String folder = variables.optional("GANTRY_WORKER_FOLDER", System.getProperty("java.io.tmpdir") + "/gantry");
        var limits = new RunLimits(
                variables.positive("GANTRY_WORKER_FILE_BYTES", RunLimits.DEFAULTS.fileBytes()),
                RunLimits.DEFAULTS.attempts(),
                RunLimits.DEFAULTS.pause());
        var toolLimits = new ToolLimits(
                Duration.ofSeconds(variables.positive(
                        "GANTRY_WORKER_TOOL_SECONDS", ToolLimits.DEFAULTS.time().toSeconds())),
                variables.positive("GANTRY_WORKER_TOOL_MEMORY_BYTES", ToolLimits.DEFAULTS.memoryBytes()),
                ToolLimits.DEFAULTS.fileBytes());
        Map<String, String> tools = variables.readPrefixed("GANTRY_WORKER_TOOLS_", Tools.KEYS);
        Map<String, String> bundles = variables.readPrefixed(
                "GANTRY_SLICERS_BUNDLES_",
                Stream.of(Engine.values()).map(Engine::name).toList());
        variables.requireValid();
        return new FunctionSettings(
                region,
                bucket,
                stageReports,
                sliceAnswers,
                Path.of(folder),
                Toolchain.of(
                        limits,
                        Tools.configured(tools, toolLimits, toolLimits.time(), true),
                        () -> bundles(bundles),
                        Clock.systemUTC()));
    }

    private static ProfileBundles bundles(Map<String, String> variables) {
        Map<String, Path> folders = variables.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, entry -> Path.of(entry.getValue())));
        return new ProfileBundles(folders.isEmpty() ? Toolchain.DEFAULT_BUNDLES : folders);
    }
}
