package farm.gantry.api.main;

import farm.gantry.api.file.FileStorage;
import farm.gantry.api.json.JsonCodec;
import farm.gantry.api.profile.SlicerBundles;
import farm.gantry.api.queue.IngestReportHandler;
import farm.gantry.api.queue.QueueConsumer;
import farm.gantry.api.queue.QueueMessageRows;
import farm.gantry.api.queue.QueuedWorker;
import farm.gantry.api.queue.SliceResultHandler;
import farm.gantry.ingest.stage.RunLimits;
import farm.gantry.ingest.stage.Toolchain;
import farm.gantry.ingest.tool.Sandbox;
import farm.gantry.ingest.tool.ToolLimits;
import farm.gantry.ingest.tool.Tools;
import farm.gantry.ingest.worker.Worker;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the worker: commands of its tools by their names in {@link Tools}; whether it runs in the API's process
 * (models in another with a limited heap, which may be started in advance); the lease of the messages of a lost worker;
 * time limits for rendering models and slicing plates; and whether parametric models run where no sandbox is available.
 */
@ConfigurationProperties("gantry.worker")
record WorkerSettings(
        @Nullable Map<String, String> tools,
        @Bindable(defaultValue = "true") boolean inProcess,
        @Bindable(defaultValue = "2g") String maxHeap,
        @Bindable(defaultValue = "false") boolean prestart,
        @Bindable(defaultValue = "30s") Duration leaseDuration,
        @Bindable(defaultValue = "60s") Duration cadTimeout,
        @Bindable(defaultValue = "5m") Duration sliceTimeout,
        @Bindable(defaultValue = "false") boolean allowUnsandboxedModels) {
    /** Parts read concurrently per lane. */
    static final int READERS_PER_LANE = 2;
    /** Poll interval between processes, where there are no signals. */
    static final Duration POLL_INTERVAL = Duration.ofMillis(200);

    /**
     * Creates a worker that reports results to the handlers. {@code folder} is its working folder, below the data
     * folder of the installation.
     */
    static QueuedWorker createWorker(
            ApplicationContext context,
            Path data,
            Path folder,
            IngestReportHandler reports,
            SliceResultHandler slices) {
        Tools tools = context.getBean(WorkerSettings.class).createTools(hiddenFolders(context, data));
        Toolchain toolchain =
                Toolchain.of(RunLimits.DEFAULTS, tools, context.getBean(SlicerBundles.class)::all, Clock.systemUTC());
        FileStorage files = context.getBean(FileStorage.class);
        Worker worker = new Worker(files, folder, toolchain);
        return new QueuedWorker(worker, () -> !files.isFull(), context.getBean(JsonCodec.class), reports, slices);
    }

    static QueueConsumer createConsumer(ApplicationContext context, Path folder) throws IOException {
        return QueueConsumer.open(
                folder,
                context.getBean(QueueMessageRows.class),
                context.getBean(WorkerSettings.class).leaseDuration());
    }

    /**
     * Returns the folders that the sandbox hides from tools: the data, the stored files, the working directory and this
     * program.
     */
    static List<Path> hiddenFolders(ApplicationContext context, Path data) {
        return Stream.concat(
                        Stream.of(data.toAbsolutePath(), Path.of("").toAbsolutePath(), programFolder()),
                        context.getProperty(SharedInstallSettings.FILES, String.class).stream()
                                .map(files -> Path.of(files).toAbsolutePath()))
                .toList();
    }

    /** Returns the folder of this program: that of its JAR, or the source checkout that it was built in. */
    private static Path programFolder() {
        Path source = Path.of(URI.create(WorkerSettings.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toString()));
        for (Path folder = source; folder != null; folder = folder.getParent()) {
            if (Files.exists(folder.resolve(".git"))) {
                return folder;
            }
        }
        return Files.isDirectory(source) ? source : Objects.requireNonNullElse(source.getParent(), source);
    }

    Tools createTools(List<Path> hidden) {
        ToolLimits defaults = ToolLimits.DEFAULTS;
        return Tools.configured(
                tools == null ? Map.of() : tools,
                new ToolLimits(sliceTimeout, defaults.memoryBytes(), defaults.fileBytes()),
                cadTimeout,
                allowUnsandboxedModels,
                Sandbox.hidingFolders(hidden));
    }
}
