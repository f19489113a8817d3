package farm.gantry.local;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.Id;
import farm.gantry.api.database.Database;
import farm.gantry.api.main.admin.AdminCommand;
import farm.gantry.api.main.postgres.LocalPostgres;
import farm.gantry.api.main.process.ChildProcess;
import farm.gantry.ingest.function.emulator.Buckets;
import farm.gantry.ingest.function.emulator.SdkSettings;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Tests several API and worker processes with a shared PostgreSQL database and S3 object storage. All APIs but the first connect through
 * PgBouncer, where it is installed.
 */
@Tag("full")
@ResourceLock(OwnFarm.FIRST)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SeveralProcessesTest {
    private static final String DATABASE = "farm";
    private static final int SHORT = 60;
    /** Commits of about half a minute. */
    private static final int SAMPLE = 250;
    /** Commits per second that a second process may add while idle; 1 to 2 were measured. */
    private static final double MAX_ADDED = 3;
    /** A time shorter than an empty long poll. */
    private static final Duration PROMPT = Duration.ofSeconds(15);

    @TempDir
    static Path folder;

    private LocalPostgres postgres;
    /** Between the other API and PostgreSQL, where it is installed. */
    private Optional<PgBouncer> pooler = Optional.empty();

    private Buckets buckets;
    private String bucket;
    private Farm farm;
    private Farm.AdditionalApi other;

    @BeforeAll
    void start() throws Exception {
        postgres = LocalPostgres.start(folder.resolve("postgres"), Map.of("fsync", "off"));
        try (Connection connection = DriverManager.getConnection(postgres.ownerUrl("postgres"));
                Statement statement = connection.createStatement()) {
            statement.execute("create database " + DATABASE);
        }
        buckets = new Buckets(Files.createDirectory(folder.resolve("buckets")));
        bucket = buckets.newBucket();
        String password = Id.random(20);
        Map<String, String> environment = Map.of(
                "GANTRY_OWNER_PASSWORD",
                postgres.ownerUrl(DATABASE).replaceAll(".*password=", ""),
                "DATASOURCES_DEFAULT_PASSWORD",
                password,
                "GANTRY_PEPPER",
                Id.random(32),
                "GANTRY_SECRET_KEY",
                Base64.getEncoder().encodeToString(new byte[32]),
                "GANTRY_AWS_REGION",
                SdkSettings.REGION,
                "GANTRY_AWS_BUCKET",
                bucket,
                "AWS_ENDPOINT_URL_S3",
                System.getProperty("aws.endpointUrlS3"),
                "AWS_ACCESS_KEY_ID",
                SdkSettings.KEY,
                "AWS_SECRET_ACCESS_KEY",
                SdkSettings.SECRET);
        List<String> options = List.of("--jdbc-url", postgres.url(DATABASE));
        admin(environment, options, "database", "migrate");
        String key = admin(environment, options, "store", "create", "--name", "A farm")
                .findLine("key ")
                .orElseThrow();
        pooler = PgBouncer.start(folder, postgres, DATABASE, password);
        List<String> ofOthers = pooler.map(each ->
                        List.of("--jdbc-url", each.url(), "--set", Database.DIRECT_URL + "=" + postgres.url(DATABASE)))
                .orElse(options);
        farm = Farm.start(new FarmProcesses.Installation(options, environment, Optional.of(key)), ofOthers);
        other = farm.startAnotherApi();
    }

    private static ChildProcess admin(Map<String, String> environment, List<String> options, String... command)
            throws IOException {
        List<String> arguments = new ArrayList<>(List.of(command));
        arguments.addAll(options);
        ChildProcess process = ChildProcess.start(
                "admin",
                folder.resolve("logs"),
                ChildProcess.SMALL_JVM_OPTIONS,
                AdminCommand.class.getName(),
                arguments,
                environment);
        Eventually.until("the command ends", () -> !process.isAlive(), process::log);
        assertThat(process.exitValue()).as(Files.readString(process.log())).isZero();
        return process;
    }

    @AfterAll
    void stop() throws Exception {
        other.close();
        farm.close();
        pooler.ifPresent(PgBouncer::close);
        postgres.close();
        buckets.stop();
    }

    @Test
    void printQueuedByOneApiReachesTheAgentConnectedToTheOther() throws Exception {
        try (ChildProcess _ = farm.startWorker("left", "");
                ChildProcess _ = farm.startWorker("right", "");
                FarmPrinter machine = farm.addPrinter("shared")) {
            String part = farm.readyGcode("shared", SHORT);
            List<Duration> times = new ArrayList<>();
            for (FarmApiClient api : List.of(farm.api(), other.client(), farm.api(), other.client())) {
                long startedAt = System.nanoTime();
                api.patch("/v1/printers/confirm-ready", Map.of("ids", List.of(machine.id()), "ready", true));
                JsonNode built = api.post(
                        "/v2/builds",
                        Map.of("parts", List.of(Map.of("partId", part, "tags", Map.of("printer.id", machine.id())))));
                String build = FarmRequests.text(built.get("partBuilds").get(0), "id");
                String job = FarmRequests.fieldValues(api.get("/v1/print-jobs?partBuildId=" + build), "id")
                        .getFirst();
                farm.awaitJob(job, "Printing");
                times.add(Duration.ofNanos(System.nanoTime() - startedAt));
                machine.finish();
                farm.awaitJob(job, "Completed");
                machine.awaitPrinter("the printer is free", "isAvailable", true);
            }
            assertThat(Collections.min(times)).as("where nothing stood still").isLessThan(PROMPT);
            assertThat(machine.startedFiles()).hasSize(4);
            assertThat(buckets.keys(bucket)).anyMatch(file -> file.endsWith("/shared.gcode"));
        }
    }

    @Test
    void otherApiAndWorkerTakeOverAfterACrash() throws Exception {
        try (ChildProcess dying = farm.startWorker("dying", "thumbnails");
                FarmPrinter machine = farm.addPrinter("outliving")) {
            String unread = FarmRequests.text(
                    farm.createPart("gcode", PrintFiles.gcode(farm.createFolder(), "unread", SHORT)), "id");
            Eventually.until("the worker dies", () -> !dying.isAlive(), () -> "it lives");
            try (ChildProcess _ = farm.startWorker("living", "")) {
                assertThat(farm.awaitReady(unread)
                                .get("processing")
                                .get("attempt")
                                .getIntValue())
                        .isEqualTo(1);
                machine.confirmBed();
                String job = farm.buildFor(machine, unread);
                farm.awaitJob(job, "Printing");
                other.process().kill();
                machine.finish();
                farm.awaitJob(job, "Completed");
                assertThat(machine.startedFiles()).hasSize(1);
                other = farm.startAnotherApi();
            }
        }
    }

    @Test
    void otherApiTakesOverTheBackgroundWorkAfterACrash() throws Exception {
        other.close();
        String holder = awaitWorkLease("");
        other = farm.startAnotherApi();
        farm.restartApi("");
        awaitWorkLease(holder);
    }

    /** Returns the process that does the background work, when it is another than the given one. */
    private String awaitWorkLease(String than) {
        String sql = "select holder from farm.\"workLease\" where \"heldUntil\" > now() and holder <> '" + than + "'";
        Eventually.until(
                "another process than '" + than + "' works",
                () -> !query(DATABASE, sql).isEmpty(),
                () -> "none does");
        return query(DATABASE, sql);
    }

    private String query(String database, String sql) {
        try (Connection connection = DriverManager.getConnection(postgres.ownerUrl(database));
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return rows.next() ? rows.getString(1) : "";
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @Tag("long")
    void secondApiAddsFewCommitsWhileIdle() throws Exception {
        other.close();
        double ofOne = commitsPerSecond();
        other = farm.startAnotherApi();
        double ofTwo = commitsPerSecond();
        assertThat(ofTwo - ofOne).as("commits per second beyond %s", ofOne).isLessThan(MAX_ADDED);
    }

    private double commitsPerSecond() {
        long begun = System.nanoTime();
        long before = commits();
        AtomicLong since = new AtomicLong();
        Eventually.until(
                "the processes commit",
                () -> {
                    since.set(commits() - before);
                    return since.get() >= SAMPLE;
                },
                () -> "they did " + since + " times");
        return since.get() * 1e9 / (System.nanoTime() - begun);
    }

    private long commits() {
        return Long.parseLong(
                query("postgres", "select xact_commit from pg_stat_database where datname = '" + DATABASE + "'"));
    }

    @Test
    @Tag("long")
    void noRequestIsLostWhileOneApiAfterTheOtherRestarts() throws Exception {
        Farm.AdditionalApi third = farm.startAnotherApi();
        List<Integer> ports = List.of(other.port(), third.port());
        try (NginxProxy proxy = NginxProxy.start(folder, ports)) {
            ConstantLoad load = new ConstantLoad(new FarmApiClient(proxy.url(), farm.key()));
            load.awaitMoreRequests();
            for (int round = 0; round < 2; round++) {
                other = farm.restart(other);
                load.awaitMoreRequests();
                third = farm.restart(third);
                load.awaitMoreRequests();
            }
            assertThat(load.stop()).as("lost of " + load.count() + " requests").isEmpty();
        } finally {
            third.close();
        }
    }
}
