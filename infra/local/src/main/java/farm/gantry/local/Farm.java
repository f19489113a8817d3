package farm.gantry.local;

import farm.gantry.Id;
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
 * A farm as it runs on one machine: API and agent are processes that can be killed, with a network connection between
 * them that can be cut.
 */
final class Farm implements FarmCalls, AutoCloseable {
    /** One port for its clients, and the next for its operators. */
    private static final int PORTS_OF_API = 2;

    private final Path folder;
    private final FarmProcesses processes;
    private final int port;
    private final String key;
    private final Api client;
    private final String agentId;
    private final Wire wire;
    private volatile ChildProcess api;
    private volatile ChildProcess agent;

    /** Another API of a farm that can have several. */
    record OtherApi(ChildProcess process, Api client) implements AutoCloseable {
        @Override
        public void close() {
            process.close();
        }
    }

    private Farm(
            Path folder,
            FarmProcesses.Install install,
            Function<Wire, Map<String, String>> settings,
            List<String> agentOptions)
            throws IOException, InterruptedException {
        this.folder = folder;
        this.port = FreePorts.choose(PORTS_OF_API);
        this.wire = new Wire(port);
        Stream<String> own = settings.apply(wire).entrySet().stream()
                .flatMap(each -> Stream.of("--set", each.getKey() + "=" + each.getValue()));
        this.processes = new FarmProcesses(
                folder,
                install,
                Stream.concat(Stream.of("--set", "gantry.rate-limit.per-minute=0"), own)
                        .toList(),
                agentOptions);
        this.api = serve("");
        this.key = install.key().isPresent() ? install.key().get() : api.awaitLine("key ");
        this.client = new Api("http://127.0.0.1:" + port, key);
        JsonNode code = api().post("/v1/agents/pairing-codes", Map.of());
        processes.pair(wire.url(), FarmCalls.text(code, "code"));
        this.agentId = FarmCalls.text(api().get("/v1/agents").get(0), "id");
        this.agent = processes.agent("");
    }

    /** {@code settings} are configuration keys of the API. */
    static Farm start(Map<String, String> settings) {
        return start(_ -> settings, List.of());
    }

    /** Starts a farm with options of the agent, and settings that depend on the connection between it and the API. */
    static Farm start(Function<Wire, Map<String, String>> settings, List<String> agentOptions) {
        try {
            return new Farm(Files.createTempDirectory("farm"), FarmProcesses.Install.FOLDER, settings, agentOptions);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Starts a farm whose database several APIs can serve. */
    static Farm start(FarmProcesses.Install install) throws IOException, InterruptedException {
        return new Farm(Files.createTempDirectory("farm"), install, _ -> Map.of(), List.of());
    }

    /** Starts another API over the shared data, which the agent may reach from now on. */
    OtherApi another() throws IOException, InterruptedException {
        int other = FreePorts.choose(PORTS_OF_API);
        ChildProcess child = processes.api("", other, folder.resolve("data-" + other));
        child.awaitLine("url ");
        wire.add(other);
        return new OtherApi(child, new Api("http://127.0.0.1:" + other, key));
    }

    private ChildProcess serve(String crashAt) throws IOException, InterruptedException {
        ChildProcess child = begun(crashAt);
        child.awaitLine("url ");
        return child;
    }

    private ChildProcess begun(String crashAt) throws IOException {
        return processes.api(crashAt, port, data());
    }

    /** Starts a worker in its own process; the caller must end it. */
    ChildProcess worker(String name, String crashAt) throws IOException {
        return processes.worker(name, crashAt, data());
    }

    @Override
    public Api api() {
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

    Wire wire() {
        return wire;
    }

    /** Returns the JSON of the agent's status page. */
    JsonNode agentStatus() throws IOException {
        return new Api(agentPage(), key).get("/status.json");
    }

    /** Returns the process of the API, whose children are those of the worker for models and of PostgreSQL. */
    ProcessHandle apiProcess() {
        return api.handle();
    }

    void killAgent() throws IOException {
        agent.kill();
    }

    /** Kills the API if it still runs, and starts it again; it dies at that point of its work, if one is named. */
    void restartApi(String crashAt) throws IOException, InterruptedException {
        api.kill();
        api = serve(crashAt);
    }

    /** Starts an API that finds work to do, and dies at that point of it. */
    void letApiDie(String crashAt) throws IOException {
        api.kill();
        api = begun(crashAt);
        awaitDeathOfApi(crashAt);
    }

    void awaitDeathOfApi(String at) {
        Eventually.until("the API dies at " + at, () -> !api.isAlive(), () -> "it lives");
    }

    void restartAgent(String crashAt) throws IOException {
        agent.kill();
        agent = processes.agent(crashAt);
    }

    void awaitDeathOfAgent(String at) {
        Eventually.until("the agent dies at " + at, () -> !agent.isAlive(), () -> "it lives");
    }

    /** Returns a new folder. */
    Path scratch() throws IOException {
        return Files.createTempDirectory(folder, "scratch");
    }

    /** Returns a printer that is online, and whose bed nobody has confirmed. */
    Machine machine(String name, String... tags) throws IOException {
        Machine machine = new Machine(this, name, List.of(tags));
        machine.awaitPrinter(name + " is online", "isOnline", true);
        return machine;
    }

    String register(String name, List<String> tags, int simulatorPort) throws IOException {
        return register(name, tags, simulatorPort, agentId);
    }

    String register(String name, List<String> tags, int simulatorPort, String agent) throws IOException {
        Map<String, Object> metadata = Map.of(
                "provider",
                "firmwareK",
                "extruder_count",
                1,
                "nozzle_diameter",
                0.4,
                "server_port",
                simulatorPort,
                "server_host",
                "127.0.0.1");
        Map<String, Object> printer = Map.of(
                "name",
                name,
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
                "tags",
                tags,
                "metadata",
                metadata);
        return FarmCalls.text(api().put("/v1/printers", List.of(printer)).get(0), "id");
    }

    /** Returns a part with G-code that prints for this many simulated seconds, ready to print. */
    String readyGcode(String name, int seconds) throws IOException {
        return readyPart("gcode", PrintFiles.gcode(scratch(), name, seconds));
    }

    @Override
    public void close() throws IOException {
        stop();
        wire.close();
        FileTree.delete(folder);
    }
}
