package farm.gantry.api;

import farm.gantry.Id;
import farm.gantry.StoreId;
import farm.gantry.api.apikey.ApiKeys;
import farm.gantry.api.main.LocalPostgres;
import farm.gantry.api.store.StoreRows;
import farm.gantry.api.store.Tx;
import farm.gantry.ingest.reading.FileTree;
import io.micronaut.context.ApplicationContext;
import io.micronaut.function.aws.LambdaApplicationContextBuilder;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The one install all tests of a JVM share: of one machine, or, with {@code -Dfarm.on=aws}, as functions have it, over what stands
 * for AWS. A test makes itself a store; nothing is ever cleaned.
 */
public final class SharedApi {
    public static final String PEPPER = "pepper";
    public static final String SECRET_KEY = "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=";

    private static final String DATABASE = "farm";
    /** Milliseconds after which a database is gone: a machine that stands still is none. */
    private static final int STANDSTILL = 30_000;

    private static final boolean ON_AWS = "aws".equals(System.getProperty("farm.on"));
    private static final SharedApi FARM = start();

    private final String databaseUrl;
    private final String ownerUrl;
    private final ApplicationContext context;
    private final @Nullable EmbeddedServer server;
    private final @Nullable AwsServices services;

    private SharedApi(String databaseUrl, String ownerUrl, ApplicationContext context, @Nullable AwsServices services) {
        this.databaseUrl = databaseUrl;
        this.ownerUrl = ownerUrl;
        this.context = context;
        this.services = services;
        this.server = services == null ? context.getBean(EmbeddedServer.class).start() : null;
    }

    /** A tenant and the key of its owner, which may do everything. */
    public record Store(StoreId id, String key) {}

    public static Store newStore() {
        ApiKeys.Created owner = bean(StoreRows.class).create("A farm", bean(ApiKeys.class)::createOwner);
        return new Store(new StoreId(owner.storeId()), owner.key());
    }

    public static String url() {
        return Objects.requireNonNull(FARM.server, "functions have no server")
                .getURL()
                .toString();
    }

    /** Where the application's role connects. */
    public static String databaseUrl() {
        return FARM.databaseUrl;
    }

    /** Where the role connects that owns the database. */
    public static String ownerUrl() {
        return FARM.ownerUrl;
    }

    static boolean isOnAws() {
        return ON_AWS;
    }

    /** What stands for AWS, where the install is over that. */
    public static AwsServices services() {
        return Objects.requireNonNull(FARM.services, "the farm is of one machine");
    }

    public static ApplicationContext context() {
        return FARM.context;
    }

    public static <T> T bean(Class<T> type) {
        return FARM.context.getBean(type);
    }

    /** Another API over the same data, on loopback, of these settings; whoever starts it closes it. */
    public static ApplicationContext another(Map<String, Object> settings) {
        ApplicationContext another = ApplicationContext.builder()
                .properties(Map.of(
                        "datasources.default.url",
                        databaseUrl(),
                        "datasources.default.connection-timeout",
                        STANDSTILL,
                        "gantry.pepper",
                        PEPPER,
                        "gantry.secret-key",
                        SECRET_KEY,
                        "gantry.files.folder",
                        FARM.context.getRequiredProperty("gantry.files.folder", String.class),
                        "gantry.rate-limit.per-minute",
                        0,
                        "micronaut.server.host",
                        "127.0.0.1",
                        "micronaut.server.port",
                        -1))
                .properties(settings)
                .deduceEnvironment(false)
                .banner(false)
                .start();
        another.getBean(EmbeddedServer.class).start();
        return another;
    }

    private static SharedApi start() {
        try {
            Path folder = Files.createTempDirectory("farm");
            LocalPostgres postgres = LocalPostgres.start(
                    folder, Map.of("fsync", "off", "synchronous_commit", "off", "full_page_writes", "off"));
            postgres.prepare(DATABASE);
            // The table of the resource that only the tests know.
            run(postgres.ownerUrl(DATABASE), Files.readString(Path.of("src/test/resources/example/shelf.sql")));
            String url = postgres.url(DATABASE) + "?user=gantry_app&password=" + postgres.password();
            Map<String, Object> settings = new HashMap<>(Map.of(
                    "datasources.default.url",
                    url,
                    "datasources.default.connection-timeout",
                    STANDSTILL,
                    "gantry.webhooks.allow-insecure-local-receivers-for-development",
                    true,
                    "gantry.pepper",
                    PEPPER,
                    "gantry.secret-key",
                    SECRET_KEY,
                    "gantry.files.folder",
                    folder.resolve("files").toString(),
                    "gantry.stream.most-of-store",
                    3,
                    "gantry.stream.look-every",
                    "50ms",
                    "gantry.stream.quiet",
                    "300ms",
                    "micronaut.server.port",
                    -1));
            AwsServices services = ON_AWS ? new AwsServices(folder.resolve("buckets")) : null;
            ApplicationContext context = services == null ? onOneMachine(settings) : asFunction(settings, services);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(context, postgres, folder)));
            return new SharedApi(url, postgres.ownerUrl(DATABASE), context, services);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static ApplicationContext onOneMachine(Map<String, Object> settings) {
        return ApplicationContext.builder()
                .properties(settings)
                .properties(Map.of("gantry.rate-limit.per-minute", 0))
                .deduceEnvironment(false)
                .banner(false)
                .start();
    }

    /** Its requests are counted, with more allowed than any test makes. */
    private static ApplicationContext asFunction(Map<String, Object> settings, AwsServices services) {
        Map<String, Object> all = new HashMap<>(settings);
        all.keySet().removeAll(Set.of("gantry.secret-key", "micronaut.server.port"));
        all.putAll(services.settings());
        all.put("gantry.rate-limit.per-minute", 1_000_000);
        return new LambdaApplicationContextBuilder()
                .properties(all)
                .banner(false)
                .build()
                .start();
    }

    private static void run(String ownerUrl, String sql) {
        try (Connection owner = DriverManager.getConnection(ownerUrl)) {
            owner.createStatement().execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void stop(ApplicationContext context, LocalPostgres postgres, Path folder) {
        context.close();
        try (postgres) {
            postgres.close();
            FileTree.delete(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until another transaction waits for this one. */
    public static void awaitBlocked(Tx tx) {
        Eventually.until(
                "it waits for what this has changed",
                () -> tx.query(
                        "select exists (select from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid)))",
                        rows -> rows.next() && rows.getBoolean(1)));
    }

    /** Whether no other transaction has locked the record; this one has then. */
    public static boolean isFree(Tx tx, String table, String id) {
        return tx.query(
                "select from farm.\"" + table + "\" where \"storeId\" = ? and id = ? for update skip locked",
                ResultSet::next,
                tx.store().value(),
                id);
    }

    /** An id of the right form that nothing has. */
    public static String unknownId() {
        return Id.next();
    }
}
