package farm.gantry.api.main;

import farm.gantry.api.database.Database;
import farm.gantry.api.main.postgres.LocalPostgres;
import farm.gantry.api.queue.IngestLane;
import farm.gantry.api.queue.QueueConsumer;
import farm.gantry.api.queue.QueuedResultSender;
import farm.gantry.api.queue.WorkLoop;
import farm.gantry.api.settings.SettingKeys;
import io.micronaut.context.ApplicationContext;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code work}: runs a worker of the one-machine installation as a separate process. Several may run. */
@Command(
        name = "work",
        mixinStandardHelpOptions = true,
        description =
                "Runs a worker that reads and slices files for an API that was started with --jdbc-url, or on this machine with"
                        + " --set gantry.worker.in-process=false.")
public final class WorkCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(WorkCommand.class);
    private static final long CHECK_INTERVAL_MILLIS = 500;

    @Option(
            names = "--data",
            defaultValue = ".gantry",
            description = "data folder of the API (default: ${DEFAULT-VALUE})")
    Path data = Path.of(".gantry");

    @Option(
            names = "--jdbc-url",
            description =
                    "JDBC URL of a database that several processes share, instead of that of an API on this machine. Set"
                            + " DATASOURCES_DEFAULT_PASSWORD and GANTRY_FILES_FOLDER, or GANTRY_AWS_REGION and GANTRY_AWS_BUCKET,"
                            + " to the same values for all processes")
    @Nullable
    String jdbcUrl;

    @Option(
            names = "--name",
            defaultValue = "1",
            description = "name of this worker, unique on this machine (default: ${DEFAULT-VALUE})")
    String name = "1";

    @Option(names = "--lane", description = "lane to work on: ${COMPLETION-CANDIDATES}; may be repeated (default: all)")
    Set<IngestLane> lanes = EnumSet.allOf(IngestLane.class);

    @Option(names = "--set", description = "a setting as name=value; may be repeated")
    Map<String, String> settings = Map.of();

    private final CountDownLatch stopped = new CountDownLatch(1);

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new WorkCommand())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(arguments));
    }

    /**
     * Works while the database of the API responds, and reconnects after a restart of the API, which may use another
     * port.
     */
    @Override
    public Integer call() throws IOException, InterruptedException {
        Runtime.getRuntime().addShutdownHook(new Thread(this::stop, "stopping"));
        Path folder = data.toAbsolutePath();
        while (!isStopped()) {
            Optional<String> database = findDatabaseUrl(folder);
            if (database.isPresent()) {
                workOrLogUnreachable(folder, database.get());
            }
        }
        return 0;
    }

    /**
     * Runs the worker. Logs a database that is starting or has stopped, so that the caller retries; other failures are
     * thrown.
     */
    private void workOrLogUnreachable(Path folder, String url) throws IOException, InterruptedException {
        try {
            work(folder, url);
        } catch (RuntimeException e) {
            if (!Database.isDatabaseFailure(e)) {
                throw e;
            }
            LOG.warn("the database of {} does not respond, retrying", folder, e);
        }
    }

    void stop() {
        stopped.countDown();
    }

    private void work(Path folder, String url) throws IOException, InterruptedException {
        try (ApplicationContext context = ApplicationContext.builder()
                        .properties(properties(folder, url))
                        .deduceEnvironment(false)
                        .banner(false)
                        .start();
                QueueConsumer consumer = WorkerSettings.createConsumer(context, workingFolder(folder))) {
            QueuedResultSender answers = context.getBean(QueuedResultSender.class);
            List<WorkLoop> loops = WorkerSettings.createWorker(context, folder, workingFolder(folder), answers, answers)
                    .startPolling(consumer, lanes, WorkerSettings.READERS_PER_LANE, WorkerSettings.POLL_INTERVAL);
            System.out.println("working for " + url);
            while (!isStopped() && findDatabaseUrl(folder).filter(url::equals).isPresent()) {
                LOG.trace("the database of {} still responds", folder);
            }
            WorkLoop.closeAll(loops);
        }
    }

    private Map<String, Object> properties(Path folder, String url) throws IOException {
        if (jdbcUrl != null) {
            return SharedInstallSettings.forWorker(url, settings);
        }
        SettingKeys.check(settings.keySet(), System.getenv());
        Map<String, Object> properties = new HashMap<>();
        properties.put("datasources.default.url", url);
        properties.put("datasources.default.password", LocalPostgres.password(folder.resolve("postgres")));
        properties.put(SharedInstallSettings.FILES, folder.resolve("files").toString());
        properties.putAll(settings);
        return properties;
    }

    private Path workingFolder(Path folder) {
        return folder.resolve("workers").resolve(name);
    }

    private Optional<String> findDatabaseUrl(Path folder) {
        return jdbcUrl != null
                ? Optional.of(jdbcUrl)
                : LocalPostgres.findRunningUrl(folder.resolve("postgres"), LocalPostgres.DATABASE);
    }

    private boolean isStopped() throws InterruptedException {
        return stopped.await(CHECK_INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
    }
}
