package farm.gantry.api.main;

import farm.gantry.Id;
import farm.gantry.api.apikey.ApiKeys;
import farm.gantry.api.database.schema.RestoredDatabase;
import farm.gantry.api.main.backup.BackupSettings;
import farm.gantry.api.main.backup.ScheduledBackups;
import farm.gantry.api.main.postgres.LocalPostgres;
import farm.gantry.api.main.process.DataFolderLock;
import farm.gantry.api.main.process.SecretFile;
import farm.gantry.api.monitoring.FarmMetrics;
import farm.gantry.api.queue.Signal;
import farm.gantry.api.queue.WorkLoop;
import farm.gantry.api.settings.SettingKeys;
import farm.gantry.api.store.StoreRows;
import farm.gantry.api.webhook.Webhooks;
import farm.gantry.notification.EventName;
import io.micronaut.context.ApplicationContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A complete farm in one data folder: PostgreSQL, files, API and, by default, the worker. The worker reads plain G-code
 * in this process and models in a separate one.
 */
public final class StandaloneServer implements AutoCloseable {
    /** Time to wait for a previous process to stop PostgreSQL and release the folder. */
    private static final Duration LOCK_TIMEOUT = Duration.ofSeconds(10);

    /** How often the server checks whether a backup is due. */
    private static final Duration BACKUP_CHECK_INTERVAL = Duration.ofSeconds(10);

    private final DataFolderLock lock;
    private final ServerMonitoring monitoring;
    private final LocalPostgres postgres;
    private final ApiServer service;
    private final Optional<String> ownerKey;
    private final Optional<WorkLoop> backups;

    private StandaloneServer(
            DataFolderLock lock,
            ServerMonitoring monitoring,
            LocalPostgres postgres,
            ApiServer service,
            Optional<String> ownerKey,
            Optional<WorkLoop> backups) {
        this.lock = lock;
        this.monitoring = monitoring;
        this.postgres = postgres;
        this.service = service;
        this.ownerKey = ownerKey;
        this.backups = backups;
    }

    /** Starts the server without a listener. */
    public static StandaloneServer start(Path folder, Map<String, Object> settings) throws IOException {
        return start(folder, settings, new InstallListener() {});
    }

    /**
     * Starts the server. {@code settings} override the defaults. The folder is locked before anything in it is changed.
     */
    public static StandaloneServer start(Path folder, Map<String, Object> settings, InstallListener listener)
            throws IOException {
        SettingKeys.check(settings.keySet(), System.getenv());
        Map<String, Object> all = new HashMap<>(settings);
        all.putAll(TlsSettings.toMicronautSettings(settings));
        Files.createDirectories(folder, DataFolderLock.OWNER_ONLY);
        checkRestore(folder.toAbsolutePath().normalize());
        DataFolderLock lock = DataFolderLock.acquire(
                folder, "port " + settings.getOrDefault("micronaut.server.port", "by chance"), LOCK_TIMEOUT);
        ServerMonitoring monitoring = ServerMonitoring.start(settings, listener);
        try {
            return start(lock, monitoring, folder, all, listener);
        } catch (IOException | RuntimeException e) {
            monitoring.close();
            lock.close();
            throw e;
        }
    }

    /** Throws after an interrupted restore, of this folder or of a farm whose API has this folder. */
    private static void checkRestore(Path folder) throws IOException {
        for (Path restored : Arrays.asList(folder, folder.getParent())) {
            if (restored != null && RestoreCommand.isUnfinished(restored)) {
                throw new IOException("the restore of a backup into " + restored + " was interrupted: run it again");
            }
        }
    }

    private static StandaloneServer start(
            DataFolderLock lock,
            ServerMonitoring monitoring,
            Path folder,
            Map<String, Object> settings,
            InstallListener listener)
            throws IOException {
        CompletableFuture<ApplicationContext> context = CompletableFuture.supplyAsync(ApiServer::newContext);
        LocalPostgres postgres = LocalPostgres.start(folder.resolve("postgres"));
        try {
            postgres.prepareDatabase(LocalPostgres.DATABASE);
            if (Files.exists(folder.resolve(RestoreCommand.RESTORE_MARKER))) {
                RestoredDatabase.markRestored(postgres.ownerUrl(LocalPostgres.DATABASE));
                Files.delete(folder.resolve(RestoreCommand.RESTORE_MARKER));
            }
            postgres.restartOnFailure(listener::onNotice);
            Map<String, Object> properties = createSettings(folder, postgres.url(LocalPostgres.DATABASE));
            properties.putAll(settings);
            return start(context.join(), lock, monitoring, postgres, folder, properties, listener);
        } catch (IOException | RuntimeException e) {
            postgres.close();
            throw e;
        }
    }

    /** Returns the settings of a data folder's API for its database. Creates missing secrets. */
    public static Map<String, Object> createSettings(Path folder, String databaseUrl) throws IOException {
        Map<String, Object> settings = new HashMap<>();
        settings.put("datasources.default.url", databaseUrl);
        settings.put("datasources.default.password", LocalPostgres.password(folder.resolve("postgres")));
        settings.put("gantry.files.folder", folder.resolve("files").toString());
        settings.put("gantry.pepper", SecretFile.readOrCreate(folder.resolve("pepper"), Id.random(32)));
        settings.put("gantry.secret-key", SecretFile.readOrCreate(folder.resolve("secret-key"), randomKey()));
        return settings;
    }

    private static StandaloneServer start(
            ApplicationContext context,
            DataFolderLock lock,
            ServerMonitoring monitoring,
            LocalPostgres postgres,
            Path folder,
            Map<String, Object> properties,
            InstallListener listener)
            throws IOException {
        List<String> ownerKey = new ArrayList<>();
        ApiServer service = ApiServer.start(context, folder, properties, monitoring, listener, started -> {
            started.getBean(BackupSettings.class).check();
            ownerKey(started, listener).ifPresent(ownerKey::add);
        });
        return new StandaloneServer(
                lock,
                monitoring,
                postgres,
                service,
                ownerKey.stream().findFirst(),
                startBackups(context, folder, postgres, listener));
    }

    /** Starts the scheduled backups, if there is a folder for them. */
    private static Optional<WorkLoop> startBackups(
            ApplicationContext context, Path folder, LocalPostgres postgres, InstallListener listener) {
        long minFreeBytes = context.getRequiredProperty("gantry.files.min-free-bytes", Long.class);
        Optional<ScheduledBackups> backups = ScheduledBackups.of(
                context.getBean(BackupSettings.class),
                archive -> BackupCommand.writeArchive(folder, postgres, archive, minFreeBytes),
                new ScheduledBackups.Listener() {
                    @Override
                    public void onFailure(String reason) {
                        context.getBean(Webhooks.class).emitToAllStores(EventName.onBackupFailed, reason);
                    }

                    @Override
                    public void onSuccess() {
                        context.getBean(Webhooks.class).resolveInAllStores(EventName.onBackupFailed);
                    }
                });
        if (backups.isPresent()
                && BackupCommand.findSettingOfOtherFiles(folder, key -> context.getProperty(key, String.class))
                        .isPresent()) {
            listener.onNotice("backups contain the database but not the files, because these are not in "
                    + folder.resolve("files") + "; copy the files yourself");
        }
        backups.ifPresent(scheduled ->
                context.findBean(FarmMetrics.class).ifPresent(metrics -> metrics.addBackupAge(scheduled::ageSeconds)));
        // Compression needs a thread of its own.
        return backups.map(scheduled -> WorkLoop.start(
                Thread.ofPlatform().daemon().name("backups"),
                new Signal(),
                BACKUP_CHECK_INTERVAL,
                scheduled::runIfDue));
    }

    private static Optional<String> ownerKey(ApplicationContext context, InstallListener listener) {
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

    private static String randomKey() {
        byte[] key = new byte[32];
        new SecureRandom().nextBytes(key);
        return Base64.getEncoder().encodeToString(key);
    }

    public String url() {
        return service.url();
    }

    /** Returns the owner's API key if this start created it. It cannot be read later. */
    public Optional<String> ownerKey() {
        return ownerKey;
    }

    /** Returns the JDBC URL of the role that owns the database, for administration. */
    public String ownerUrl() {
        return postgres.ownerUrl(LocalPostgres.DATABASE);
    }

    public ApplicationContext context() {
        return service.context();
    }

    @Override
    public void close() throws IOException {
        backups.ifPresent(WorkLoop::close);
        service.close();
        postgres.close();
        monitoring.close();
        lock.close();
    }
}
