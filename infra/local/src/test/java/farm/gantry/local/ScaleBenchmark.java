package farm.gantry.local;

import farm.gantry.Id;
import farm.gantry.api.apikey.ApiKeys;
import farm.gantry.api.main.StandaloneServer;
import farm.gantry.api.main.postgres.FreePorts;
import farm.gantry.api.main.postgres.LocalPostgres;
import farm.gantry.api.main.process.ChildProcess;
import farm.gantry.api.store.StoreRows;
import farm.gantry.edge.link.ApiClient;
import farm.gantry.ingest.reading.FileTree;
import farm.gantry.wire.Pairing;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/**
 * Measures what a request costs when 1, 2 and 4 API processes share one database: each gets the same requests, from simulated links of
 * agents and from clients, at a fixed rate and from the same stored farm. All processes share the cores of this machine, so the figure to
 * compare is the work per request, which should not grow with the number of processes.
 */
@CommandLine.Command(name = "scale", mixinStandardHelpOptions = true)
final class ScaleBenchmark implements Callable<Integer> {
    private static final String SERVE = "farm.gantry.api.main.ServeCommand";
    /** Without the compiler C2, which would still compile while the work is measured, in each process. */
    private static final List<String> JVM = List.of("-Xmx400m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private static final String INSECURE_RECEIVERS = "gantry.webhooks.allow-insecure-local-receivers-for-development";
    private static final List<String> READS = List.of(
            "/v1/printers?limit=50",
            "/v1/print-jobs?limit=50",
            "/v1/printers?limit=1&fields=id",
            "/v1/parts?limit=50",
            "/v1/print-jobs?limit=1&fields=id");
    private static final int PORTS_OF_API = 2;
    private static final int AT_ONCE = 200;
    private static final double MAX_GROWTH = 1.05;
    /** Time until the responses to the last requests have arrived. */
    private static final Duration SETTLING = Duration.ofSeconds(3);

    @Option(
            names = "--processes",
            split = ",",
            description = "API processes (default: ${DEFAULT-VALUE})",
            defaultValue = "1,2,4")
    List<Integer> processes = List.of();

    @Option(
            names = "--stores",
            description = "stores, each with an agent (default: ${DEFAULT-VALUE})",
            defaultValue = "10")
    int stores;

    @Option(
            names = "--printers",
            description = "printers of all stores (default: ${DEFAULT-VALUE})",
            defaultValue = "1000")
    int printers;

    @Option(names = "--builds", description = "builds per minute (default: ${DEFAULT-VALUE})", defaultValue = "50")
    int builds;

    @Option(names = "--copies", description = "jobs per build (default: ${DEFAULT-VALUE})", defaultValue = "5")
    int copies;

    @Option(
            names = "--requests",
            description = "requests per second of clients (default: ${DEFAULT-VALUE})",
            defaultValue = "30")
    int requests;

    @Option(
            names = "--print-seconds",
            description = "duration of a print (default: ${DEFAULT-VALUE})",
            defaultValue = "20")
    int printSeconds;

    @Option(
            names = "--warm-up",
            description = "seconds before the measurement, for each process (default: ${DEFAULT-VALUE})",
            defaultValue = "25")
    int warmUpSeconds;

    @Option(
            names = "--seconds",
            description = "seconds of the measurement (default: ${DEFAULT-VALUE})",
            defaultValue = "30")
    int seconds;

    private final List<PreparedStore> prepared = new ArrayList<>();
    private final Random random = new Random(1);
    private final LongAdder exchanges = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final LongAdder answered = new LongAdder();
    private final Queue<Long> times = new ConcurrentLinkedQueue<>();

    /** The owner's key of a store, the token of its agent, the ids of its printers by device, and its part. */
    private record PreparedStore(String key, String token, Map<String, String> printers, String part) {}

    /** Counters at a moment: CPU time in ms, and numbers since the start. */
    private record Sample(
            double apiMillis,
            double databaseMillis,
            long commits,
            double rounds,
            long exchanges,
            long requests,
            long deliveries,
            long failures) {
        Sample since(Sample before) {
            return new Sample(
                    apiMillis - before.apiMillis,
                    databaseMillis - before.databaseMillis,
                    commits - before.commits,
                    rounds - before.rounds,
                    exchanges - before.exchanges,
                    requests - before.requests,
                    deliveries - before.deliveries,
                    failures - before.failures);
        }

        long allRequests() {
            return exchanges + requests;
        }
    }

    /** A measurement under load, and one of the same time without any request. */
    private record Run(Sample loaded, Sample idle) {
        double apiPerRequest() {
            return (loaded.apiMillis() - idle.apiMillis()) / loaded.allRequests();
        }

        double databasePerRequest() {
            return (loaded.databaseMillis() - idle.databaseMillis()) / loaded.allRequests();
        }

        double cpuPerRequest() {
            return apiPerRequest() + databasePerRequest();
        }

        double commitsPerRequest() {
            return (double) (loaded.commits() - idle.commits()) / loaded.allRequests();
        }
    }

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new ScaleBenchmark()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException, InterruptedException, SQLException {
        Path folder = Files.createTempDirectory("scale");
        try (WebhookReceiver receiver = new WebhookReceiver()) {
            prepare(folder, receiver.url());
            Map<String, String> settings = Map.of(
                    "fsync", "on", "synchronous_commit", "on", "full_page_writes", "on", "max_connections", "200");
            try (LocalPostgres postgres = LocalPostgres.start(folder.resolve("postgres"), settings)) {
                Run first = null;
                for (int count : processes) {
                    Run run = run(folder, postgres, receiver, count);
                    first = first == null ? run : first;
                    print(count, run, first);
                }
            }
        } finally {
            FileTree.delete(folder);
        }
        return 0;
    }

    /** Stores the farm that each run begins with. */
    private void prepare(Path folder, String receiver) throws IOException, InterruptedException {
        int port = FreePorts.choose(PORTS_OF_API);
        Map<String, Object> settings =
                Map.of("micronaut.server.port", port, "gantry.rate-limit.per-minute", 0, INSECURE_RECEIVERS, true);
        Path files = Files.createDirectory(folder.resolve("scratch"));
        try (StandaloneServer server = StandaloneServer.start(folder, settings)) {
            for (int i = 0; i < stores; i++) {
                String key = server.context()
                        .getBean(StoreRows.class)
                        .create(
                                "store " + i,
                                tx -> server.context()
                                        .getBean(ApiKeys.class)
                                        .createOwner(tx)
                                        .key());
                prepared.add(prepareStore(new FarmApiClient(server.url(), key), server.url(), key, receiver, files));
            }
        }
    }

    private PreparedStore prepareStore(FarmApiClient api, String url, String key, String receiver, Path files)
            throws IOException, InterruptedException {
        api.post(
                "/v1/settings/notifications",
                Map.of("channel", "webhook", "data", Map.of("webhookUrl", receiver, "apiKey", "k".repeat(32))));
        api.patch("/v1/settings/notifications/webhook/events", Map.of("onJobSucceeded", true));
        String code = FarmRequests.text(api.post("/v1/agents/pairing-codes", Map.of()), "code");
        Pairing.Response agent = ApiClient.create(url).pair(new Pairing.Request(code, "agent", "1", "linux"));
        Map<String, String> ids = new HashMap<>();
        int count = printers / stores;
        for (int i = 0; i < count; i += AT_ONCE) {
            List<Map<String, Object>> some = new ArrayList<>();
            for (int j = i; j < Math.min(count, i + AT_ONCE); j++) {
                some.add(printer(j, agent.agentId()));
            }
            for (JsonNode printer : api.put("/v1/printers", some).values()) {
                ids.put(FarmRequests.text(printer, "deviceId"), FarmRequests.text(printer, "id"));
            }
        }
        FarmRequests requests = () -> api;
        return new PreparedStore(
                key, agent.token(), ids, requests.readyPart("gcode", PrintFiles.gcode(files, "part", printSeconds)));
    }

    private static Map<String, Object> printer(int number, String agent) {
        return Map.of(
                "name",
                "printer " + number,
                "nozzleDiameter",
                "0.4",
                "commMethod",
                "fuse",
                "provider",
                "firmwareK",
                "deviceId",
                "device-" + Id.next(),
                "proxyClientId",
                agent,
                "metadata",
                Map.of(
                        "provider",
                        "firmwareK",
                        "extruder_count",
                        1,
                        "nozzle_diameter",
                        0.4,
                        "server_port",
                        7125,
                        "server_host",
                        "10.0.0.7"));
    }

    private Run run(Path folder, LocalPostgres postgres, WebhookReceiver receiver, int count)
            throws IOException, InterruptedException, SQLException {
        String database = "with_" + count;
        execute(postgres, "postgres", "create database " + database + " template " + LocalPostgres.DATABASE);
        execute(postgres, database, "vacuum analyze");
        List<ChildProcess> apis = new ArrayList<>();
        List<Integer> ports = new ArrayList<>();
        List<Thread> links = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                ports.add(FreePorts.choose(PORTS_OF_API));
                apis.add(startApi(folder, postgres, database, ports.getLast()));
            }
            for (ChildProcess api : apis) {
                api.awaitLine("url ");
            }
            List<List<FarmApiClient>> clients = clients(ports);
            for (int i = 0; i < stores; i++) {
                links.add(Thread.ofVirtual().start(link(i, url(ports.get(i % count)), clients.get(i))));
            }
            // Each process and its sessions get as many requests as a single one, so that all are equally warm.
            load(clients, Duration.ofSeconds((long) warmUpSeconds * count));
            times.clear();
            Sample before = sample(folder, postgres, receiver, database, apis, ports);
            load(clients, Duration.ofSeconds(seconds));
            Sample loaded =
                    sample(folder, postgres, receiver, database, apis, ports).since(before);
            links.forEach(Thread::interrupt);
            LockSupport.parkNanos(SETTLING.toNanos());
            before = sample(folder, postgres, receiver, database, apis, ports);
            LockSupport.parkNanos(Duration.ofSeconds(seconds).toNanos());
            return new Run(
                    loaded,
                    sample(folder, postgres, receiver, database, apis, ports).since(before));
        } finally {
            links.forEach(Thread::interrupt);
            apis.forEach(ChildProcess::close);
        }
    }

    private ChildProcess startApi(Path folder, LocalPostgres postgres, String database, int port) throws IOException {
        List<String> arguments = List.of(
                "--data", folder.resolve("api-" + port).toString(),
                "--port", String.valueOf(port),
                "--jdbc-url", postgres.url(database),
                "--set", "gantry.rate-limit.per-minute=0",
                "--set", INSECURE_RECEIVERS + "=true");
        Map<String, String> environment = Map.of(
                "DATASOURCES_DEFAULT_PASSWORD", postgres.password(),
                "GANTRY_PEPPER", Files.readString(folder.resolve("pepper")).strip(),
                "GANTRY_SECRET_KEY",
                        Files.readString(folder.resolve("secret-key")).strip(),
                "GANTRY_FILES_FOLDER", folder.resolve("files").toString());
        return ChildProcess.start("api-" + port, folder.resolve("logs"), JVM, SERVE, arguments, environment);
    }

    private static String url(int port) {
        return "http://127.0.0.1:" + port;
    }

    /** Returns the clients of each store, one for each process. */
    private List<List<FarmApiClient>> clients(List<Integer> ports) {
        return prepared.stream()
                .map(store -> ports.stream()
                        .map(port -> new FarmApiClient(url(port), store.key()))
                        .toList())
                .toList();
    }

    private SimulatedLink link(int number, String url, List<FarmApiClient> clients) {
        PreparedStore store = prepared.get(number);
        return new SimulatedLink(
                ApiClient.create(url),
                store.token(),
                List.copyOf(store.printers().keySet()),
                Duration.ofSeconds(printSeconds),
                devices -> clearBeds(
                        clients, devices.stream().map(store.printers()::get).toList()),
                exchanges,
                failures);
    }

    private void clearBeds(List<FarmApiClient> clients, List<String> printerIds) {
        for (int i = 0; i < printerIds.size(); i += AT_ONCE) {
            List<String> some = printerIds.subList(i, Math.min(printerIds.size(), i + AT_ONCE));
            send(any(clients), "PATCH", "/v1/printers/confirm-ready", Map.of("ids", some, "ready", true));
        }
    }

    /** Sends requests of clients and builds at their rates, without waiting for responses. */
    private void load(List<List<FarmApiClient>> clients, Duration duration) {
        long begun = System.nanoTime();
        long sent = 0;
        long built = 0;
        for (long now = begun; now - begun < duration.toNanos(); now = System.nanoTime()) {
            double elapsed = (now - begun) / 1e9;
            for (; built < elapsed * builds / 60; built++) {
                int store = random.nextInt(stores);
                Map<String, ?> build = Map.of(
                        "parts", List.of(Map.of("partId", prepared.get(store).part(), "quantity", copies)));
                start(any(clients.get(store)), "POST", "/v2/builds", build);
            }
            for (; sent < elapsed * requests; sent++) {
                int store = random.nextInt(stores);
                String path = READS.get(random.nextInt(READS.size()));
                start(any(clients.get(store)), "GET", path, null);
            }
            LockSupport.parkNanos(5_000_000);
        }
    }

    private void start(FarmApiClient client, String method, String path, @Nullable Object body) {
        Thread.ofVirtual().start(() -> send(client, method, path, body));
    }

    private void send(FarmApiClient client, String method, String path, @Nullable Object body) {
        long begun = System.nanoTime();
        try {
            if (client.sendWithRetries(method, path, body).status() >= 300) {
                failures.increment();
            }
            times.add(System.nanoTime() - begun);
            answered.increment();
        } catch (IOException e) {
            failures.increment();
        }
    }

    private <T> T any(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    private Sample sample(
            Path folder,
            LocalPostgres postgres,
            WebhookReceiver receiver,
            String database,
            List<ChildProcess> apis,
            List<Integer> ports)
            throws IOException, SQLException {
        double rounds = 0;
        for (int port : ports) {
            rounds += rounds(port);
        }
        double api = 0;
        for (ChildProcess each : apis) {
            api += CpuTicks.withoutCompilers(each.handle().pid());
        }
        return new Sample(
                api * CpuTicks.MILLIS,
                CpuTicks.ofPostgres(folder.resolve("postgres")) * CpuTicks.MILLIS,
                commits(postgres, database),
                rounds,
                exchanges.sum(),
                answered.sum(),
                receiver.count(),
                failures.sum());
    }

    private static double rounds(int port) throws IOException {
        try (InputStream body = URI.create(url(port + 1) + "/metrics").toURL().openStream()) {
            return new String(body.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> line.startsWith("gantry_scheduling_rounds_total "))
                    .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' '))))
                    .sum();
        }
    }

    private static long commits(LocalPostgres postgres, String database) throws SQLException {
        try (Connection connection = DriverManager.getConnection(postgres.ownerUrl("postgres"));
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "select xact_commit from pg_stat_database where datname = '" + database + "'")) {
            row.next();
            return row.getLong(1);
        }
    }

    private static void execute(LocalPostgres postgres, String database, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(postgres.ownerUrl(database));
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static double percentile(List<Long> sorted, int percent) {
        return sorted.isEmpty() ? Double.NaN : sorted.get(sorted.size() * percent / 100) / 1e6;
    }

    private void print(int count, Run run, Run first) {
        Sample loaded = run.loaded();
        List<Long> sorted = times.stream().sorted().toList();
        System.out.printf(
                "  %d API processes: %.0f requests/s (%.0f exchanges of agents), %.1f rounds/s, %.1f deliveries/s, %.0f commits/s; p50 %.1f ms, p99 %.1f ms, %d failed%n",
                count,
                (double) loaded.allRequests() / seconds,
                (double) loaded.exchanges() / seconds,
                loaded.rounds() / seconds,
                (double) loaded.deliveries() / seconds,
                (double) loaded.commits() / seconds,
                percentile(sorted, 50),
                percentile(sorted, 99),
                loaded.failures());
        System.out.printf(
                "    without any request: %.1f commits/s, %.1f %% of a core%n",
                (double) run.idle().commits() / seconds,
                (run.idle().apiMillis() + run.idle().databaseMillis()) / seconds / 10);
        double cpu = run.cpuPerRequest() / first.cpuPerRequest();
        double commits = run.commitsPerRequest() / first.commitsPerRequest();
        System.out.printf(
                "    a request beyond that: API %.2f ms, PostgreSQL %.2f ms of CPU (%+.0f %%), %.2f commits (%+.0f %%)%s%n",
                run.apiPerRequest(),
                run.databasePerRequest(),
                100 * (cpu - 1),
                run.commitsPerRequest(),
                100 * (commits - 1),
                Math.max(cpu, commits) > MAX_GROWTH ? ": more than 5 %" : "");
    }
}
