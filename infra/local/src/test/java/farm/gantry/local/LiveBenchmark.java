package farm.gantry.local;

import farm.gantry.api.main.process.ChildProcess;
import farm.gantry.edge.file.FileCache;
import farm.gantry.edge.file.FileDownload;
import farm.gantry.edge.file.FilesOnPrinters;
import farm.gantry.edge.journal.Journal;
import farm.gantry.edge.link.AgentInstance;
import farm.gantry.edge.link.ApiClient;
import farm.gantry.edge.link.HttpsUplink;
import farm.gantry.edge.link.LinkSession;
import farm.gantry.edge.link.ReportQueue;
import farm.gantry.edge.link.SavedPrinterList;
import farm.gantry.edge.link.SnapshotUploads;
import farm.gantry.edge.link.Uplink;
import farm.gantry.edge.printer.PrinterFleet;
import farm.gantry.edge.printer.connection.PrinterConnection;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.connection.Provider;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.printer.PrinterState.Temperature;
import farm.gantry.wire.Command;
import farm.gantry.wire.LinkRequest;
import farm.gantry.wire.LinkResponse;
import farm.gantry.wire.LinkResponse.PrinterConfig;
import farm.gantry.wire.Pairing;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Measures the cost of printing printers for the API. The link of a real agent, whose generated printers report
 * temperatures, percent and layer each second, sends to an API in its own process, while lists are read. On Linux, as
 * {@code infra/local/measure live} runs it: {@code java -cp … farm.gantry.local.LiveBenchmark [printers] [seconds]}
 */
final class LiveBenchmark {
    private static final List<String> SERVE = List.of("-Xmx768m", "-XX:+UseG1GC");
    private static final Duration WARM_UP = Duration.ofSeconds(20);
    private static final Duration TURN = Duration.ofSeconds(1);
    private static final int ROUNDS = 10;
    private static final int PORT = 18_097;
    /** Parts of a second in which printers report by turns. */
    private static final int TICKS = 20;

    private static final int LAYERS = 200;
    private static final int LAYER_SECONDS = 36;

    private final Random chance = new Random(1);
    private final Queue<Provider.Listener> printers = new ConcurrentLinkedQueue<>();
    private final LongAdder exchanges = new LongAdder();
    private final LongAdder reports = new LongAdder();
    /** Whether the agent sends messages; its long poll continues anyway. */
    private volatile boolean isTelling = true;

    private final Path folder;

    private LiveBenchmark(Path folder) {
        this.folder = folder;
    }

    public static void main(String[] arguments) throws Exception {
        int printers = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 1000;
        int seconds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 30;
        Path folder = Files.createTempDirectory("live");
        List<String> serve = List.of(
                "--data",
                folder.resolve("data").toString(),
                "--port",
                "" + PORT,
                "--set",
                "gantry.rate-limit.per-minute=0");
        try (ChildProcess api = ChildProcess.start("api", folder, SERVE, "farm.gantry.api.main.ServeCommand", serve)) {
            new LiveBenchmark(folder).run(api, printers, seconds);
        }
        System.exit(0);
    }

    private void run(ChildProcess serving, int count, int seconds) throws Exception {
        String url = serving.awaitLine("url ");
        FarmApiClient api = new FarmApiClient(url, serving.awaitLine("key "));
        Pairing.Response paired = pair(api, ApiClient.create(url));
        for (int i = 0; i < count; i += 200) {
            List<Map<String, Object>> some = new ArrayList<>();
            for (int j = i; j < Math.min(count, i + 200); j++) {
                some.add(printer(j, paired.agentId()));
            }
            api.put("/v1/printers", some);
        }
        ApiClient client = ApiClient.create(url);
        ReportQueue queue = new ReportQueue();
        FileCache cache = new FileCache(folder.resolve("cache"), 0, new FileDownload(client.http()), client.clock());
        try (Journal journal = Journal.open(folder.resolve("journal"), client.clock());
                PrinterFleet fleet = new PrinterFleet(
                        _ -> new MadeUp(printers),
                        journal,
                        cache,
                        FilesOnPrinters.load(folder),
                        Duration.ofSeconds(2),
                        queue,
                        client.clock());
                SnapshotUploads stills = new SnapshotUploads(client, paired.token(), fleet);
                LinkSession link = new LinkSession(
                        new Counted(new HttpsUplink(client, paired.token())),
                        client.clock(),
                        queue,
                        journal,
                        fleet,
                        new SavedPrinterList(folder),
                        stills,
                        AgentInstance.register(folder),
                        address -> address)) {
            link.start();
            Thread.ofPlatform().daemon().start(this::print);
            LockSupport.parkNanos(WARM_UP.toNanos());
            cost(serving.handle(), count, seconds);
            lists(api);
        }
    }

    private static Pairing.Response pair(FarmApiClient api, ApiClient client) throws IOException, InterruptedException {
        JsonNode code = api.post("/v1/agents/pairing-codes", Map.of());
        return client.pair(new Pairing.Request(FarmRequests.text(code, "code"), "live", "1", "linux"));
    }

    private static Map<String, Object> printer(int number, String agent) {
        Map<String, Object> metadata = Map.of(
                "provider",
                "vendorA",
                "dev_access_code",
                "12345678",
                "dev_id",
                "serial" + number,
                "dev_model_name",
                "X1C",
                "dev_product_name",
                "X1 Carbon",
                "name",
                "p" + number,
                "nozzle_diameter",
                0.4,
                "online",
                true,
                "print_status",
                "",
                "host",
                "10.0.0.1");
        return Map.of(
                "name",
                "p" + number,
                "nozzleDiameter",
                "0.4",
                "commMethod",
                "fuse",
                "provider",
                "vendorA",
                "deviceId",
                "serial" + number,
                "proxyClientId",
                agent,
                "metadata",
                metadata);
    }

    /** Sends a status of each printer each second, one after another, as printers that report by themselves do. */
    private void print() {
        for (int tick = 0; ; tick++) {
            long begun = System.nanoTime();
            int number = 0;
            for (Provider.Listener printer : printers) {
                if (number++ % TICKS == tick % TICKS) {
                    printer.onStatus(reading(tick / TICKS + 7 * number), false);
                }
            }
            LockSupport.parkNanos(begun + 1_000_000_000 / TICKS - System.nanoTime());
        }
    }

    private PrinterStatus reading(int second) {
        int length = LAYERS * LAYER_SECONDS;
        int printed = second % length;
        return new PrinterStatus(
                Status.printing,
                null,
                null,
                new PrinterStatus.File(
                        "vase.gcode",
                        100.0 * printed / length,
                        1 + printed / LAYER_SECONDS,
                        LAYERS,
                        (long) printed,
                        (length - printed) / 60 * 60L,
                        null),
                Map.of("nozzle", heater(220), "bed", heater(60)),
                List.of(),
                List.of());
    }

    /** A heater that holds its temperature varies by some tenths of a degree. */
    private Temperature heater(double target) {
        return new Temperature(Math.round(100 * (target + 0.3 * chance.nextGaussian())) / 100.0, target);
    }

    private void cost(ProcessHandle api, int count, int seconds) throws IOException {
        long agent = ProcessHandle.current().pid();
        Path postgres = folder.resolve("data/postgres");
        double[] before = {CpuTicks.of(api.pid(), false), CpuTicks.ofPostgres(postgres), CpuTicks.of(agent, false)};
        long exchangesBefore = exchanges.sum();
        long reportsBefore = reports.sum();
        LockSupport.parkNanos(Duration.ofSeconds(seconds).toNanos());
        double percent = 100 / CpuTicks.PER_SECOND / seconds;
        System.out.printf(
                "  %d printers, %% of a core: API %.1f, PostgreSQL %.1f, agent without its printers' protocols %.1f%n",
                count,
                percent * (CpuTicks.of(api.pid(), false) - before[0]),
                percent * (CpuTicks.ofPostgres(postgres) - before[1]),
                percent * (CpuTicks.of(agent, false) - before[2]));
        System.out.printf(
                "  a second: %.1f exchanges, %.0f reports%n",
                (exchanges.sum() - exchangesBefore) / (double) seconds,
                (reports.sum() - reportsBefore) / (double) seconds);
    }

    /** Measures by turns with and without the agent's reports. */
    private void lists(FarmApiClient api) throws IOException {
        double[] beside = new double[ROUNDS];
        double[] alone = new double[ROUNDS];
        median(api);
        for (int i = 0; i < ROUNDS; i++) {
            isTelling = false;
            alone[i] = median(api);
            isTelling = true;
            beside[i] = median(api);
        }
        Arrays.sort(alone);
        Arrays.sort(beside);
        System.out.printf(
                "  a list of 100 of them: %.2f ms, %.2f ms while they are silent, %+.0f %%%n",
                beside[ROUNDS / 2], alone[ROUNDS / 2], 100 * (beside[ROUNDS / 2] / alone[ROUNDS / 2] - 1));
    }

    /** Returns the milliseconds of the median request of a turn. */
    private static double median(FarmApiClient api) throws IOException {
        long end = System.nanoTime() + TURN.toNanos();
        List<Long> times = new ArrayList<>();
        while (System.nanoTime() < end) {
            long begun = System.nanoTime();
            api.get("/v1/printers?limit=100");
            times.add(System.nanoTime() - begun);
        }
        return times.stream().sorted().toList().get(times.size() / 2) / 1e6;
    }

    /** A connection to the API that counts the sent messages. */
    private final class Counted implements Uplink {
        private final Uplink uplink;

        Counted(Uplink uplink) {
            this.uplink = uplink;
        }

        @Override
        public void beginSession(String session) throws IOException, InterruptedException {
            uplink.beginSession(session);
        }

        @Override
        public LinkResponse exchange(LinkRequest request, Duration wait) throws IOException, InterruptedException {
            while (!isTelling && wait.isZero()) {
                Thread.sleep(Duration.ofMillis(10));
            }
            exchanges.increment();
            reports.add(request.reports().size());
            return uplink.exchange(request, wait);
        }

        @Override
        public void close() {
            uplink.close();
        }
    }

    /** A provider whose printers have no connection. */
    private record MadeUp(Queue<Provider.Listener> printers) implements Provider {
        @Override
        public Printer.Provider name() {
            return Printer.Provider.vendorA;
        }

        @Override
        public Set<Ability> abilities() {
            return Set.of();
        }

        @Override
        public int port(PrinterConfig config) {
            return 1;
        }

        @Override
        public PrinterConnection connect(PrinterConfig config, String host, Listener listener) {
            printers.add(listener);
            return new Nowhere();
        }
    }

    private static final class Nowhere implements PrinterConnection {
        @Override
        public void upload(Path file, String sha256, String fileName) {}

        @Override
        public void start(String fileName, Command.@Nullable Print wanted, StatusCheck check) {}

        @Override
        public void control(Control control, StatusCheck check) {}

        @Override
        public void sendProviderCommand(Command.Send send) {}

        @Override
        public void close() {}
    }
}
