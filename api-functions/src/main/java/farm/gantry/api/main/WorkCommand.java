package farm.gantry.api.main;

import farm.gantry.api.database.Database;
import farm.gantry.api.main.postgres.LocalPostgres;
import farm.gantry.api.queue.IngestLane;
import farm.gantry.api.queue.WorkLoop;
import farm.gantry.api.queue.QueueConsumer;
import farm.gantry.api.queue.QueuedResultSender;
import farm.gantry.api.queue.Signal;
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

/** {@code work}: a worker of the one-machine install as a process of its own, of which there may be several. */
@Command(
        name = "work",
        mixinStandardHelpOptions = true,
        description = "Reads and slices what an API asks for that was started with --jdbc-url, or on this machine with"
                + " --set gantry.worker.in-process=false.")
public final class WorkCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(WorkCommand.class);
    private static final long CHECK_INTERVAL_MILLIS = 500;

    @Option(names = "--data", defaultValue = ".gantry", description = "folder of the API's data (${DEFAULT-VALUE})")
    Path data = Path.of(".gantry");

    @Option(
            names = "--jdbc-url",
            description = "a database of several processes, instead of that of an API on this machine;"
                    + " DATASOURCES_DEFAULT_PASSWORD and GANTRY_FILES_FOLDER, or GANTRY_AWS_REGION and GANTRY_AWS_BUCKET,"
                    + " are the same for all of them")
    @Nullable
    String jdbcUrl;

    @Option(names = "--name", defaultValue = "1", description = "tells it from others beside it (${DEFAULT-VALUE})")
    String name = "1";

    @Option(
            names = "--lane",
            description = "what it works on, of ${COMPLETION-CANDIDATES}; may be repeated (everything)")
    Set<IngestLane> lanes = EnumSet.allOf(IngestLane.class);

    @Option(names = "--set", description = "a configuration key, as name=value")
    Map<String, String> settings = Map.of();

    private final CountDownLatch stopped = new CountDownLatch(1);

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new WorkCommand())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(arguments));
    }

    /** Works as long as the API's database lives, and again when it is back: each start of an API may move its own. */
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

    /** One that is said to be ready may still be starting or have gone; any other fault stays one. */
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
                    .start(consumer, lanes, WorkerSettings.READERS_PER_LANE, new Signal(), WorkerSettings.POLL_INTERVAL);
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
