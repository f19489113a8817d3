package farm.gantry.api.main;

import farm.gantry.Id;
import farm.gantry.api.apikey.ApiKeys;
import farm.gantry.api.deliver.WebhookDeliveries;
import farm.gantry.api.file.FileCleanup;
import farm.gantry.api.file.LocalFiles;
import farm.gantry.api.link.AgentWatchdog;
import farm.gantry.api.link.MqttLink;
import farm.gantry.api.part.PartIngest;
import farm.gantry.api.queue.Lane;
import farm.gantry.api.queue.Loop;
import farm.gantry.api.queue.OutboxRelay;
import farm.gantry.api.queue.QueueConsumer;
import farm.gantry.api.queue.QueuedResults;
import farm.gantry.api.queue.Signal;
import farm.gantry.api.queue.SliceResultHandler;
import farm.gantry.api.schedule.Scheduler;
import farm.gantry.api.store.QueueMessages;
import farm.gantry.api.store.StoreRows;
import farm.gantry.api.stream.MqttEvents;
import farm.gantry.api.stream.Streams;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The whole service over one folder: PostgreSQL, files, API and, unless told otherwise, the worker, which reads plain G-code
 * in this process and models in one beside it.
 */
public final class OneMachine implements AutoCloseable {
    /** The folder holds keys: nobody else may look into it. */
    public static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private static final Logger LOG = LoggerFactory.getLogger(OneMachine.class);
    static final String DATABASE = "gantry";
    private static final Duration CLEAN_UP_EVERY = Duration.ofHours(1);
    /** One that was told to end stops PostgreSQL first. */
    private static final Duration LOCK_PATIENCE = Duration.ofSeconds(10);

    private static final Duration STAGED_LIFE = Duration.ofHours(24);

    private final DataFolderLock lock;
    private final LocalPostgres postgres;
    private final ApplicationContext context;
    private final EmbeddedServer server;
    private final Optional<String> ownerKey;
    private final QueueConsumer consumer;
    private final List<ModelWorker> models = new ArrayList<>();
    private final List<Loop> loops = new ArrayList<>();

    private OneMachine(
            DataFolderLock lock,
            LocalPostgres postgres,
            ApplicationContext context,
            EmbeddedServer server,
            QueueConsumer consumer,
            Optional<String> ownerKey) {
        this.lock = lock;
        this.postgres = postgres;
        this.context = context;
        this.server = server;
        this.consumer = consumer;
        this.ownerKey = ownerKey;
    }

    /** Hears of an install. */
    public interface Listener {
        /**
         * What its operator should know: that PostgreSQL ended by itself or is back, that nothing hides files from
         * tools.
         */
        default void onNotice(String notice) {
            LOG.warn(notice);
        }

        /**
         * The owner's key of an empty install, before it is valid: a start that ends in between leaves the install
         * empty.
         */
        default void onOwnerKey(String key) {}
    }

    /** Starts it, and tells nobody but its log what befalls it. */
    public static OneMachine start(Path folder, Map<String, Object> settings) throws IOException {
        return start(folder, settings, new Listener() {});
    }

    /**
     * Starts it; {@code settings} are configuration keys that win over the defaults. The folder is taken before anything in
     * it is touched.
     */
    public static OneMachine start(Path folder, Map<String, Object> settings, Listener listener) throws IOException {
        Files.createDirectories(folder, OWNER_ONLY);
        DataFolderLock lock = DataFolderLock.take(
                folder, "port " + settings.getOrDefault("micronaut.server.port", "by chance"), LOCK_PATIENCE);
        try {
            return start(lock, folder, settings, listener);
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    private static OneMachine start(DataFolderLock lock, Path folder, Map<String, Object> settings, Listener listener)
            throws IOException {
        LocalPostgres postgres = LocalPostgres.start(folder.resolve("postgres"));
        try {
            postgres.prepare(DATABASE);
            postgres.keepRunning(listener::onNotice);
            Map<String, Object> properties = new HashMap<>();
            properties.put("datasources.default.url", postgres.url(DATABASE));
            properties.put("datasources.default.password", postgres.password());
            properties.put("gantry.files.folder", folder.resolve("files").toString());
            properties.put("gantry.pepper", SecretFile.in(folder.resolve("pepper"), Id.random(32)));
            properties.put("gantry.secret-key", SecretFile.in(folder.resolve("secret-key"), randomKey()));
            properties.putAll(settings);
            return start(lock, postgres, folder, properties, listener);
        } catch (IOException | RuntimeException e) {
            postgres.close();
            throw e;
        }
    }

    /** The port is opened first, so that a start that fails for it leaves an empty install empty. */
    private static OneMachine start(
            DataFolderLock lock, LocalPostgres postgres, Path folder, Map<String, Object> properties, Listener listener)
            throws IOException {
        ApplicationContext context = ApplicationContext.builder()
                .properties(properties)
                .deduceEnvironment(false)
                .banner(false)
                .start();
        try {
            EmbeddedServer server = context.getBean(EmbeddedServer.class);
            server.start();
            Optional<String> ownerKey = ownerKey(context, listener);
            QueueConsumer consumer = WorkerSettings.consumer(context, folder.resolve("work"));
            OneMachine machine = new OneMachine(lock, postgres, context, server, consumer, ownerKey);
            machine.work(folder, properties, listener);
            return machine;
        } catch (IOException | RuntimeException e) {
            context.close();
            throw e;
        }
    }

    private static Optional<String> ownerKey(ApplicationContext context, Listener listener) {
        StoreRows stores = context.getBean(StoreRows.class);
        if (!stores.isEmptyInstall()) {
            return Optional.empty();
        }
        ApiKeys keys = context.getBean(ApiKeys.class);
        return Optional.of(stores.create("My farm", tx -> {
            String key = keys.createOwner(tx).key();
            listener.onOwnerKey(key);
            return key;
        }));
    }

    /** Starts what goes on between requests. */
    private void work(Path folder, Map<String, Object> properties, Listener listener) {
        LocalFiles files = context.getBean(LocalFiles.class);
        OutboxRelay relay = context.getBean(OutboxRelay.class);
        loops.add(relay.start());
        PartIngest ingest = context.getBean(PartIngest.class);
        SliceResultHandler slices = context.findBean(SliceResultHandler.class)
                .orElse((store, answer) -> LOG.warn("nobody in {} waits for slice {}", store, answer.sliceId()));
        WorkerSettings worker = context.getBean(WorkerSettings.class);
        loops.addAll(context.getBean(QueuedResults.class)
                .start(consumer, relay.queued(), WorkerSettings.POLL, ingest, slices));
        if (worker.inProcess()) {
            worker.programs().sandboxWarning().ifPresent(listener::onNotice);
            loops.addAll(WorkerSettings.worker(context, folder.resolve("work"), ingest, slices)
                    .start(
                            consumer,
                            EnumSet.of(Lane.PLAIN),
                            WorkerSettings.READERS,
                            relay.queued(),
                            WorkerSettings.SWEEP));
            models.add(
                    new ModelWorker(folder, properties, worker, context.getBean(QueueMessages.class), relay.queued()));
        }
        loops.add(context.getBean(Scheduler.class).start());
        loops.add(context.getBean(AgentWatchdog.class).start());
        context.findBean(MqttLink.class).ifPresent(MqttLink::start);
        loops.addAll(context.getBean(WebhookDeliveries.class).start());
        loops.add(context.getBean(Streams.class).start());
        context.findBean(MqttEvents.class).ifPresent(events -> loops.add(events.start()));
        loops.add(Loop.start(
                "staged-uploads",
                new Signal(),
                CLEAN_UP_EVERY,
                () -> files.deleteStagedBefore(Instant.now().minus(STAGED_LIFE))));
        loops.add(
                Loop.start("file-sweep", new Signal(), CLEAN_UP_EVERY, context.getBean(FileCleanup.class)::cleanUpAll));
    }

    private static String randomKey() {
        byte[] key = new byte[32];
        new SecureRandom().nextBytes(key);
        return Base64.getEncoder().encodeToString(key);
    }

    public String url() {
        return server.getURL().toString();
    }

    /** The key of the first start of an empty install; it cannot be had again. */
    public Optional<String> ownerKey() {
        return ownerKey;
    }

    /** Where the role that owns the database connects: for operators' tools. */
    public String ownerUrl() {
        return postgres.ownerUrl(DATABASE);
    }

    public ApplicationContext context() {
        return context;
    }

    @Override
    public void close() throws IOException {
        Loop.closeAll(loops);
        models.forEach(ModelWorker::close);
        consumer.close();
        context.close();
        postgres.close();
        lock.close();
    }
}
