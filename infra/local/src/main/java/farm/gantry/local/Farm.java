package farm.gantry.local;

import farm.gantry.api.main.postgres.FreePorts;
import farm.gantry.api.main.process.ChildProcess;
import farm.gantry.ingest.reading.FileTree;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A farm on this machine for tests. API and agent are processes that can be killed, and the network connection between
 * them can be cut.
 */
final class Farm implements FarmRequests, AutoCloseable {
    /** The number of ports of an API: one for its clients, and the next for health and metrics. */
    private static final int PORTS_OF_API = 2;

    private final Path folder;
    private final FarmProcesses processes;
    /** Starts additional APIs. */
    private final FarmProcesses others;

    private final int port;
    private final String key;
    private final FarmApiClient client;
    private final String agentId;
    private final CuttableNetwork network;
    private volatile ChildProcess api;
    private volatile ChildProcess agent;

    /** An additional API process of a farm whose storage several APIs can share. */
    record AdditionalApi(int port, ChildProcess process, FarmApiClient client) implements AutoCloseable {
        @Override
        public void close() {
            process.close();
        }
    }

    private Farm(
            Path folder,
            FarmProcesses.Installation install,
            List<String> ofOthers,
            Function<CuttableNetwork, Map<String, String>> settings,
            List<String> agentOptions)
            throws IOException, InterruptedException {
        this.folder = folder;
        this.port = FreePorts.choose(PORTS_OF_API);
        this.network = new CuttableNetwork(port);
        Stream<String> own = settings.apply(network).entrySet().stream()
                .flatMap(each -> Stream.of("--set", each.getKey() + "=" + each.getValue()));
        this.processes = new FarmProcesses(
                folder,
                install,
                Stream.concat(Stream.of("--set", "gantry.rate-limit.per-minute=0"), own)
                        .toList(),
                agentOptions);
        this.others = processes.with(ofOthers);
        this.api = startApi("");
        this.key = install.key().isPresent() ? install.key().get() : api.awaitLine("key ");
        this.client = new FarmApiClient("http://127.0.0.1:" + port, key);
        JsonNode code = api().post("/v1/agents/pairing-codes", Map.of());
        processes.pairAgent(network.url(), FarmRequests.text(code, "code"));
        this.agentId = FarmRequests.text(api().get("/v1/agents").get(0), "id");
        this.agent = processes.startAgent("");
    }

    /** {@code settings} are configuration keys of the API. */
    static Farm start(Map<String, String> settings) {
        return start(_ -> settings, List.of());
    }

    /** Starts a farm with options of the agent, and settings that depend on the connection between it and the API. */
    static Farm start(Function<CuttableNetwork, Map<String, String>> settings, List<String> agentOptions) {
        try {
            return new Farm(
                    Files.createTempDirectory("farm"),
                    FarmProcesses.Installation.FOLDER,
                    List.of(),
                    settings,
                    agentOptions);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Starts a farm whose database several APIs can serve; {@code ofOthers} are the options with which additional ones reach it. */
    static Farm start(FarmProcesses.Installation install, List<String> ofOthers)
            throws IOException, InterruptedException {
        return new Farm(Files.createTempDirectory("farm"), install, ofOthers, _ -> Map.of(), List.of());
    }

    /** Starts another API over the shared data, which the agent may reach from now on. */
    AdditionalApi startAnotherApi() throws IOException, InterruptedException {
        AdditionalApi other = startAnotherApi(FreePorts.choose(PORTS_OF_API));
        network.add(other.port());
        return other;
    }

    private AdditionalApi startAnotherApi(int other) throws IOException, InterruptedException {
        ChildProcess child = others.startApi("", other, folder.resolve("data-" + other));
        child.awaitLine("url ");
        return new AdditionalApi(other, child, new FarmApiClient("http://127.0.0.1:" + other, key));
    }

    /** Ends another API by a signal, and starts it again at its port. */
    AdditionalApi restart(AdditionalApi other) throws IOException, InterruptedException {
        other.close();
        return startAnotherApi(other.port());
    }

    private ChildProcess startApi(String crashAt) throws IOException, InterruptedException {
        ChildProcess child = startApiProcess(crashAt);
        child.awaitLine("url ");
        return child;
    }

    private ChildProcess startApiProcess(String crashAt) throws IOException {
        return processes.startApi(crashAt, port, data());
    }

    /** Starts a worker in its own process; the caller must end it. */
    ChildProcess startWorker(String name, String crashAt) throws IOException {
        return processes.startWorker(name, crashAt, data());
    }

    @Override
    public FarmApiClient api() {
        return client;
    }

    /** Returns the address of the API. */
    String url() {
        return "http://127.0.0.1:" + port;
    }

    String key() {
        return key;
    }

    /** Returns the folder of the API's data. */
    Path data() {
        return folder.resolve("data");
    }

    /** Returns the logs of all its processes. */
    String logs() throws IOException {
        StringBuilder all = new StringBuilder();
        for (String place : List.of("logs", "data/logs", "data/postgres", "agent/logs")) {
            if (Files.isDirectory(folder.resolve(place))) {
                try (DirectoryStream<Path> files = Files.newDirectoryStream(folder.resolve(place), "*.log")) {
                    for (Path file : files) {
                        all.append(Files.readString(file, StandardCharsets.ISO_8859_1));
                    }
                }
            }
        }
        return all.toString();
    }

    /** Returns the metrics, which are served at the port after the API's. */
    String metrics() throws IOException {
        return text("http://127.0.0.1:" + (port + 1) + "/metrics");
    }

    /** Returns the metrics of the agent. */
    String agentMetrics() throws IOException {
        return text(agentPage() + "/metrics");
    }

    private static String text(String url) throws IOException {
        try (InputStream body = URI.create(url).toURL().openStream()) {
            return new String(body.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private String agentPage() throws IOException {
        return "http://127.0.0.1:"
                + Files.readString(processes.agentData().resolve("status-port")).strip();
    }

    /** Ends API and agent by a signal. */
    void stop() {
        agent.close();
        api.close();
    }

    String agentId() {
        return agentId;
    }

    CuttableNetwork network() {
        return network;
    }

    /** Returns the JSON of the agent's status page. */
    JsonNode agentStatus() throws IOException {
        return new FarmApiClient(agentPage(), key).get("/status.json");
    }

    /** Returns the process of the API, whose children are those of the worker for models and of PostgreSQL. */
    ProcessHandle apiProcess() {
        return api.handle();
    }

    void killAgent() throws IOException {
        agent.kill();
    }

    /**
     * Kills the API if it still runs, and starts it again. The new process terminates itself at {@code crashAt}, unless
     * that is empty.
     */
    void restartApi(String crashAt) throws IOException, InterruptedException {
        api.kill();
        api = startApi(crashAt);
    }

    /** Starts an API that terminates itself when it reaches this crash point. */
    void startDyingApi(String crashAt) throws IOException {
        api.kill();
        api = startApiProcess(crashAt);
        awaitDeathOfApi(crashAt);
    }

    void awaitDeathOfApi(String at) {
        Eventually.until("the API dies at " + at, () -> !api.isAlive(), () -> "it lives");
    }

    void restartAgent(String crashAt) throws IOException {
        agent.kill();
        agent = processes.startAgent(crashAt);
    }

    void awaitDeathOfAgent(String at) {
        Eventually.until("the agent dies at " + at, () -> !agent.isAlive(), () -> "it lives");
    }

    /** Creates an empty folder for a test's files. */
    Path createFolder() throws IOException {
        return Files.createTempDirectory(folder, "scratch");
    }

    /** Registers a simulated printer, and returns it once it is online. Its bed is not confirmed as clear. */
    FarmPrinter addPrinter(String name, String... tags) throws IOException {
        FarmPrinter machine = new FarmPrinter(this, name, List.of(tags));
        machine.awaitPrinter(name + " is online", "isOnline", true);
        return machine;
    }

    String register(String name, List<String> tags, int simulatorPort) throws IOException {
        return register(name, tags, simulatorPort, agentId);
    }

    /** Returns a part with G-code that prints for this many simulated seconds, ready to print. */
    String readyGcode(String name, int seconds) throws IOException {
        return readyPart("gcode", PrintFiles.gcode(createFolder(), name, seconds));
    }

    @Override
    public void close() throws IOException {
        stop();
        network.close();
        FileTree.delete(folder);
    }
}
