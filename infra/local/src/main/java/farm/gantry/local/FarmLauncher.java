package farm.gantry.local;

import farm.gantry.Id;
import farm.gantry.api.main.ServeCommand;
import farm.gantry.api.main.postgres.FreePorts;
import farm.gantry.api.main.process.ChildProcess;
import farm.gantry.api.main.process.DataFolderLock;
import farm.gantry.api.main.process.JvmMemory;
import farm.gantry.edge.AgentCommand;
import farm.gantry.edge.link.Credentials;
import farm.gantry.simulator.SimulateCommand;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/**
 * The command {@code infra/local/up}: starts the whole farm on this machine, each part in its own process, and runs the
 * demo.
 */
@Command(
        name = "infra/local/up",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        description = "Runs the whole farm on this machine: PostgreSQL, API, worker, agent and two simulated printers.")
public final class FarmLauncher implements Callable<Integer> {
    /** The JVM options of processes that do little: a small heap, and only the first compiler. */
    private static final List<String> QUICK =
            List.of("-XX:+UseSerialGC", "-Xms16m", "-Xmx256m", "-XX:TieredStopAtLevel=1");

    /** The JVM options of the agent: its heap follows the machine, and it ends when it can no longer work. */
    private static final List<String> AGENT = List.of(
            "-XX:+UseSerialGC",
            "-Xms16m",
            "-XX:MaxRAMPercentage=30",
            "-XX:SoftRefLRUPolicyMSPerMB=0",
            "-XX:+ExitOnOutOfMemoryError",
            "-XX:TieredStopAtLevel=1");

    /**
     * Delays the optimizing compiler, which would slow down a start, for code that a running farm soon calls often
     * enough.
     */
    private static final List<String> START_FIRST = List.of(
            "-XX:Tier4InvocationThreshold=25000",
            "-XX:Tier4MinInvocationThreshold=3000",
            "-XX:Tier4CompileThreshold=75000",
            "-XX:Tier4BackEdgeThreshold=200000");

    private static final String SESSION_CODES = "/v1/sessions/codes";
    private static final int PRINTERS = 2;
    private static final String SIMULATED = "simulated-";
    private static final int PRINTER_PORTS_AFTER_API = 25;

    @Option(
            names = "--data",
            scope = ScopeType.INHERIT,
            defaultValue = "${env:GANTRY_LOCAL_DATA:-.gantry}",
            description = "folder of all data (${DEFAULT-VALUE})")
    Path data = Path.of(".gantry");

    @Option(
            names = "--port",
            scope = ScopeType.INHERIT,
            defaultValue = "8080",
            description = "port of the API (${DEFAULT-VALUE})")
    int port;

    @Option(names = "--no-demo", description = "only start the farm")
    boolean noDemo;

    @Option(
            names = "--speed",
            defaultValue = "12",
            description = "speed of the simulated printers relative to real time (${DEFAULT-VALUE})")
    int speed;

    private final Deque<SupervisedProcess> processes = new ConcurrentLinkedDeque<>();

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new FarmLauncher())
                .setExecutionExceptionHandler((failure, line, _) -> {
                    line.getErr()
                            .println((line.getParent() == null ? "The farm did not start: " : "")
                                    + failure.getMessage());
                    return 1;
                })
                .execute(arguments));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path folder = data.toAbsolutePath();
        Files.createDirectories(folder, DataFolderLock.OWNER_ONLY);
        try (DataFolderLock _ = DataFolderLock.acquire(folder, "http://127.0.0.1:" + port, Duration.ZERO)) {
            return run(folder);
        }
    }

    private int run(Path folder) throws IOException, InterruptedException {
        StartedFarm farm = start(folder);
        Thread supervisor = new Thread(() -> supervise(farm.serve()), "supervisor");
        supervisor.start();
        if (!noDemo) {
            runDemo(farm);
        }
        System.out.println("The farm stays up until Ctrl-C; its data stays in " + folder);
        AotCaches.createIfMissing(folder.resolve("logs"));
        supervisor.join();
        return 0;
    }

    /** A farm whose processes run and whose simulated printers are registered under these ids. */
    private record StartedFarm(
            SupervisedProcess serve, FarmApiClient api, List<String> printers, boolean hasOtherPrinters) {}

    @Command(
            name = "train",
            hidden = true,
            description = "Starts a farm and stops it, at which Java writes its caches of loaded classes.")
    int train() throws IOException, InterruptedException {
        port = FreePorts.choose(PRINTER_PORTS_AFTER_API + PRINTERS + 1);
        noDemo = true;
        start(data.toAbsolutePath());
        return 0;
    }

    private StartedFarm start(Path folder) throws IOException, InterruptedException {
        Path logs = folder.resolve("logs");
        for (int i = 0; i <= PRINTERS; i++) {
            TcpPorts.awaitFree(i == 0 ? port : printerPort(i));
        }
        Runtime.getRuntime().addShutdownHook(new Thread(this::stop, "stop"));
        Path ownerKey = folder.resolve("owner.key");
        List<String> jvm = new ArrayList<>(JvmMemory.maxHeapOptions(JvmMemory.API_HEAP));
        jvm.addAll(START_FIRST);
        SupervisedProcess serve = add(() ->
                ChildProcess.start("api", logs, jvm, ServeCommand.class.getName(), apiArguments(folder, ownerKey)));
        String url = serve.process().awaitLine("url ");
        String key = readOwnerKey(ownerKey);
        System.out.println("The farm answers at  " + url);
        System.out.println("Its console is at    " + consoleAddress(key));
        System.out.println("Its guide is at      http://localhost:" + port + "/docs");
        System.out.println("Its owner's key is   " + key);
        System.out.println("Try                  curl -H 'authorization: ApiKey " + key + "' " + url + "/v1/printers");
        FarmApiClient api = LauncherKey.open(url, key, folder.resolve("launcher.key"));
        String agentId = pair(api, url, folder.resolve("agent"), logs);
        add(() -> ChildProcess.start("printers", logs, QUICK, SimulateCommand.class.getName(), simulatorArguments()));
        add(() -> ChildProcess.start(
                "agent",
                logs,
                AGENT,
                AgentCommand.class.getName(),
                List.of("run", "--data", folder.resolve("agent").toString(), "--status-port", "0")));
        boolean hasOthers = hasOtherPrinters(api);
        List<String> printers = register(api, agentId, !hasOthers);
        System.out.println(
                "An agent serves %d simulated printers; the logs are in %s".formatted(printers.size(), logs));
        return new StartedFarm(serve, api, printers, hasOthers);
    }

    /** A failed demo leaves the farm running. */
    private static void runDemo(StartedFarm farm) throws InterruptedException {
        try {
            if (farm.hasOtherPrinters()) {
                System.out.println("Skipping the demo, because the farm has other printers");
            } else if (hasUnfinishedJobs(farm.api())) {
                System.out.println("Skipping the demo, because the farm has unfinished print jobs");
            } else {
                new DemoPrint(farm.api(), farm.printers()).run();
            }
        } catch (IOException e) {
            System.err.println("The demo failed: " + e.getMessage());
        }
    }

    @Command(
            name = "link",
            description = "Prints a new sign-in link, and its QR code, for the console of the running farm.")
    int createSignInLink() throws IOException {
        Path ownerKey = data.toAbsolutePath().resolve("owner.key");
        try {
            String link = createSignInLink(readOwnerKey(ownerKey));
            System.out.println(link);
            System.out.print(TerminalQrCode.render(link));
            return 0;
        } catch (ConnectException e) {
            throw new IOException("no farm runs on port " + port + "; start it with infra/local/up", e);
        }
    }

    private String createSignInLink(String key) throws IOException {
        return createSignInLink(createClient(key).post(SESSION_CODES, Map.of()));
    }

    /**
     * Returns the link. The code is in the fragment of the address, which browsers do not send and servers do not log.
     */
    private String createSignInLink(JsonNode code) {
        return "http://localhost:" + port + "/console/#code=" + FarmRequests.text(code, "code");
    }

    /**
     * Returns a sign-in link, created with the owner's key; a start does not wait until that key is no longer rate
     * limited.
     */
    private String consoleAddress(String key) throws IOException {
        FarmApiClient api = createClient(key);
        FarmApiClient.Reply reply = api.attempt("POST", SESSION_CODES, Map.of(), Id.next());
        return reply.status() == 201
                ? createSignInLink(api.parse(reply.body())) + "  (signs in once, for ten minutes)"
                : "http://localhost:" + port + "/console/  (infra/local/up link prints a link that signs in)";
    }

    private FarmApiClient createClient(String key) {
        return new FarmApiClient("http://127.0.0.1:" + port, key);
    }

    private int printerPort(int number) {
        return port + PRINTER_PORTS_AFTER_API + number;
    }

    private List<String> apiArguments(Path folder, Path ownerKey) {
        List<String> arguments =
                new ArrayList<>(List.of("--data", folder.resolve("api").toString(), "--port", Integer.toString(port)));
        arguments.addAll(List.of("--key-file", ownerKey.toString()));
        arguments.addAll(List.of("--set", "gantry.worker.prestart=true"));
        if (!noDemo) {
            arguments.addAll(List.of("--set", "gantry.webhooks.allow-insecure-local-receivers-for-development=true"));
        }
        return arguments;
    }

    private List<String> simulatorArguments() {
        return List.of(
                "--count",
                Integer.toString(PRINTERS),
                "--port",
                Integer.toString(printerPort(1)),
                "--speed",
                Integer.toString(speed));
    }

    /** Returns the owner's key, which only the first start shows, from a file that only its owner can read. */
    private static String readOwnerKey(Path file) throws IOException {
        if (!Files.exists(file)) {
            throw new IOException("the farm's data exists but its key is missing: write an API key into " + file);
        }
        return Files.readString(file).strip();
    }

    /** Pairs an agent with the store, unless one in the folder is paired already; returns its id. */
    private static String pair(FarmApiClient api, String url, Path folder, Path logs)
            throws IOException, InterruptedException {
        Optional<String> paired = agentId(api, folder);
        if (paired.isEmpty() || api.get("/v1/agents?id=" + paired.get()).size() == 0) {
            String code =
                    api.post("/v1/agents/pairing-codes", Map.of()).get("code").getStringValue();
            ChildProcess.runToEnd(
                    "pair",
                    logs,
                    AgentCommand.class.getName(),
                    List.of(
                            "pair",
                            "--api",
                            url,
                            "--code",
                            code,
                            "--name",
                            "this machine",
                            "--data",
                            folder.toString()));
        }
        return agentId(api, folder).orElseThrow();
    }

    /**
     * Returns the agent that is paired in a folder. Read as a tree, because a reader of types would load every class of
     * the API first.
     */
    private static Optional<String> agentId(FarmApiClient api, Path folder) throws IOException {
        Path file = folder.resolve(Credentials.FILE);
        return Files.exists(file)
                ? Optional.of(api.parse(Files.readString(file)).get("agentId").getStringValue())
                : Optional.empty();
    }

    /**
     * Returns whether the farm has printers that are not simulated: these would get the demo's jobs, and the simulated
     * ones theirs.
     */
    private static boolean hasOtherPrinters(FarmApiClient api) throws IOException {
        JsonNode printers = api.get("/v1/printers?fields=deviceId");
        return StreamSupport.stream(printers.values().spliterator(), false)
                .map(printer -> printer.get("deviceId"))
                .anyMatch(id -> !id.isString() || !id.getStringValue().startsWith(SIMULATED));
    }

    /**
     * Returns whether jobs are on the printers or would precede the demo's, as after a farm that was stopped during a
     * print.
     */
    private static boolean hasUnfinishedJobs(FarmApiClient api) throws IOException {
        return api.get("/v1/print-jobs?status.notIn=Completed,Failed,Cancelled&fields=id&limit=1")
                        .size()
                > 0;
    }

    /**
     * Registers the simulated printers that are {@code missing}, or moves them to the ports of this start; returns
     * their ids.
     */
    private List<String> register(FarmApiClient api, String agentId, boolean missing) throws IOException {
        List<String> ids = new ArrayList<>();
        for (int i = 1; i <= PRINTERS; i++) {
            Map<String, Object> printer = new HashMap<>();
            printer.put("proxyClientId", agentId);
            printer.put(
                    "metadata",
                    Map.of(
                            "provider",
                            "firmwareK",
                            "extruder_count",
                            1,
                            "nozzle_diameter",
                            0.4,
                            "server_host",
                            "127.0.0.1",
                            "server_port",
                            printerPort(i)));
            JsonNode found = api.get("/v1/printers?deviceId=" + SIMULATED + i);
            if (found.size() == 0 && !missing) {
                continue;
            } else if (found.size() == 0) {
                printer.put("name", "Simulated printer " + i);
                printer.put("deviceId", SIMULATED + i);
                printer.put("nozzleDiameter", "0.4");
                printer.put("commMethod", "fuse");
                printer.put("vendorName", "Gantry");
                printer.put("modelName", "Simulator");
                found = api.put("/v1/printers", List.of(printer));
            } else {
                api.patch("/v1/printers/" + found.get(0).get("id").getStringValue(), printer);
            }
            ids.add(found.get(0).get("id").getStringValue());
        }
        return ids;
    }

    private SupervisedProcess add(SupervisedProcess.Starter starter) throws IOException {
        SupervisedProcess process = new SupervisedProcess(starter);
        processes.push(process);
        return process;
    }

    /** Prints the API's notices and restarts processes that end, until Ctrl-C. */
    private void supervise(SupervisedProcess serve) {
        try {
            while (true) {
                for (SupervisedProcess process : processes) {
                    process.check();
                }
                printNotices(serve.process());
                TimeUnit.SECONDS.sleep(1);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void printNotices(ChildProcess serve) {
        try {
            serve.newLines(ServeCommand.NOTICE).forEach(System.err::println);
        } catch (IOException e) {
            System.err.println("Cannot read the output of the API, its notices are no longer shown: " + e.getMessage());
        }
    }

    private void stop() {
        while (!processes.isEmpty()) {
            processes.pop().close();
        }
    }
}
