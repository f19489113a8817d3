package farm.gantry.local;

import farm.gantry.Id;
import farm.gantry.api.main.ChildProcess;
import farm.gantry.api.main.LocalPostgres;
import farm.gantry.apikey.KeyText;
import farm.gantry.edge.link.Credentials;
import io.micronaut.core.type.Argument;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** A farm as it runs on one machine: API and agent are processes that can be killed, with a wire between them. */
final class Farm implements AutoCloseable {
    private static final ObjectMapper MAPPER = ObjectMapper.getDefault();
    private static final String SERVE = "farm.gantry.api.main.Serve";
    private static final String WORK = "farm.gantry.api.main.Work";
    private static final String AGENT = "farm.gantry.edge.AgentCommand";

    private final Path folder;
    private final Install install;
    private final int port;
    private final List<String> settings;
    private final List<String> agentOptions;
    private final AtomicInteger names = new AtomicInteger();
    private final String key;
    private final Api client;
    private final String agentId;
    private final Wire wire;
    private volatile ChildProcess api;
    private volatile ChildProcess agent;

    /**
     * Where the processes of a farm keep what they share: in a folder, or elsewhere by these options of APIs and workers and
     * variables of the environment; and the owner's key, where no start shows it.
     */
    record Install(List<String> options, Map<String, String> environment, Optional<String> key) {
        static final Install FOLDER = new Install(List.of(), Map.of(), Optional.empty());
    }

    /** Another API of a farm that can have several. */
    record OtherApi(ChildProcess process, Api client) implements AutoCloseable {
        @Override
        public void close() {
            process.close();
        }
    }

    private Farm(Path folder, Install install, Function<Wire, Map<String, String>> settings, List<String> agentOptions)
            throws IOException, InterruptedException {
        this.folder = folder;
        this.install = install;
        this.port = freePort();
        this.wire = new Wire(port);
        Stream<String> own = settings.apply(wire).entrySet().stream()
                .flatMap(each -> Stream.of("--set", each.getKey() + "=" + each.getValue()));
        this.settings = Stream.concat(Stream.of("--set", "gantry.rate-limit.per-minute=0"), own)
                .toList();
        this.agentOptions = agentOptions;
        this.api = serve("");
        this.key = install.key().isPresent() ? install.key().get() : api.awaitLine("key ");
        this.client = new Api("http://127.0.0.1:" + port, key);
        JsonNode code = api().post("/v1/agents/pairing-codes", Map.of());
        ChildProcess.run(
                "pair",
                folder.resolve("logs"),
                AGENT,
                List.of(
                        "pair",
                        "--api",
                        wire.url(),
                        "--code",
                        text(code, "code"),
                        "--name",
                        "agent",
                        "--data",
                        agentData()));
        this.agentId = text(api().get("/v1/agents").get(0), "id");
        this.agent = agent("");
    }

    /** {@code settings} are configuration keys of the API. */
    static Farm start(Map<String, String> settings) {
        return start(_ -> settings, List.of());
    }

    /** The same with options of the agent, and settings that depend on the wire between it and the API. */
    static Farm start(Function<Wire, Map<String, String>> settings, List<String> agentOptions) {
        try {
            return new Farm(Files.createTempDirectory("farm"), Install.FOLDER, settings, agentOptions);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** A farm of which several APIs can serve one database. */
    static Farm start(Install install) throws IOException, InterruptedException {
        return new Farm(Files.createTempDirectory("farm"), install, _ -> Map.of(), List.of());
    }

    /**
     * One that is free, as is the next, where operators are told of the API. It lies below those that Linux gives to
     * connections, one of which could take it while the API is started again.
     */
    private static int freePort() throws IOException {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(20_000, 32_000);
            try (ServerSocket _ = new ServerSocket(port);
                    ServerSocket _ = new ServerSocket(port + 1)) {
                return port;
            } catch (BindException e) {
                // taken: another
            }
        }
    }

    /** Starts another API over what is shared, which the agent may reach from now on. */
    OtherApi another() throws IOException, InterruptedException {
        int other = freePort();
        ChildProcess child = begun("", other, folder.resolve("data-" + other));
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
        return begun(crashAt, port, data());
    }

    private ChildProcess begun(String crashAt, int itsPort, Path itsData) throws IOException {
        List<String> arguments =
                new ArrayList<>(List.of("--data", itsData.toString(), "--port", String.valueOf(itsPort)));
        arguments.addAll(settings);
        return process("api", crashAt, SERVE, arguments);
    }

    private ChildProcess process(String name, String crashAt, String main, List<String> arguments) throws IOException {
        arguments.addAll(install.options());
        return ChildProcess.start(
                name + "-" + names.incrementAndGet(),
                folder.resolve("logs"),
                crashing(crashAt),
                main,
                arguments,
                install.environment());
    }

    /** A worker in a process of its own; whoever starts it ends it. */
    ChildProcess worker(String name, String crashAt) throws IOException {
        return process(
                "worker",
                crashAt,
                WORK,
                new ArrayList<>(
                        List.of("--data", data().toString(), "--name", name, "--set", "gantry.worker.lease=4s")));
    }

    private ChildProcess agent(String crashAt) throws IOException {
        List<String> arguments =
                new ArrayList<>(List.of("run", "--data", agentData(), "--status-port", "0", "--grace-seconds", "2"));
        arguments.addAll(agentOptions);
        return ChildProcess.start(
                "agent-" + names.incrementAndGet(), folder.resolve("logs"), crashing(crashAt), AGENT, arguments);
    }

    /** A process that lives for seconds is not worth the thorough compiler. */
    private static List<String> crashing(String at) {
        return List.of("-Dgantry.crashAt=" + at, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
    }

    private String agentData() {
        return folder.resolve("agent").toString();
    }

    Api api() {
        return client;
    }

    /** Sends once what may fail. */
    Api.Reply attempt(String method, String path, Object body) throws IOException {
        return api().attempt(method, path, body, Id.next());
    }

    String key() {
        return key;
    }

    /** The folder of the API's data. */
    Path data() {
        return folder.resolve("data");
    }

    /** What all its processes have written to their logs. */
    String logs() throws IOException {
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".log")).toList()) {
                all.append(Files.readString(file, StandardCharsets.ISO_8859_1));
            }
        }
        return all.toString();
    }

    /** What operators are told at the port after the API's. */
    String metrics() throws IOException {
        try (InputStream told = URI.create("http://127.0.0.1:" + (port + 1) + "/metrics")
                .toURL()
                .openStream()) {
            return new String(told.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** What the agent shows the API. */
    String agentToken() throws IOException {
        return Credentials.in(Path.of(agentData())).orElseThrow().token();
    }

    /** Where the role connects that owns the database. */
    String ownerUrl() throws IOException {
        return LocalPostgres.ownerUrl(data().resolve("postgres"), "gantry");
    }

    /** Ends API and agent as they are told to. */
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

    /** What the agent tells at its own page. */
    JsonNode agentStatus() throws IOException {
        String statusPort =
                Files.readString(Path.of(agentData(), "status-port")).strip();
        return new Api("http://127.0.0.1:" + statusPort, key).get("/status.json");
    }

    /** The process of the API, below which are those of the worker of models and of PostgreSQL. */
    ProcessHandle apiProcess() {
        return api.handle();
    }

    void killAgent() throws IOException {
        agent.kill();
    }

    /** Kills the API, if it still lives, and starts it again; it dies at that point of its work, if one is named. */
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
        agent = agent(crashAt);
    }

    void awaitDeathOfAgent(String at) {
        Eventually.until("the agent dies at " + at, () -> !agent.isAlive(), () -> "it lives");
    }

    /** A folder of its own. */
    Path scratch() throws IOException {
        return Files.createTempDirectory(folder, "scratch");
    }

    /** A printer that is online, and whose bed nobody has confirmed. */
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
        return text(api().put("/v1/printers", List.of(printer)).get(0), "id");
    }

    /** Uploads the file and makes a part of it, which is still to be read. */
    JsonNode makePart(String type, Path file) throws IOException {
        String path = api().upload(file);
        return api().post(
                        "/v1/parts",
                        Map.of("name", file.getFileName().toString(), "type", type, "fileUris", List.of(path)));
    }

    JsonNode part(String id) throws IOException {
        return api().get("/v1/parts/" + id);
    }

    JsonNode awaitReady(String partId) {
        return Eventually.see(
                "the part is ready",
                () -> part(partId),
                part -> part.get("processingStatus").isNull());
    }

    JsonNode awaitFailed(String partId) {
        return Eventually.see(
                "the part is refused", () -> part(partId), part -> is(part, "processingStatus", "failed"));
    }

    /** What a kept file is served as. */
    String contentType(String fileUri) throws IOException {
        JsonNode signed = api().post("/v1/storage/signed-urls", Map.of("paths", List.of(fileUri)));
        return URI.create(signed.get("signedUrls").get(0).getStringValue())
                .toURL()
                .openConnection()
                .getContentType();
    }

    /** A part that is ready to print. */
    String readyPart(String type, Path file) throws IOException {
        return text(awaitReady(text(makePart(type, file), "id")), "id");
    }

    /** G-code that prints for so many seconds of its own time, ready to print. */
    String readyGcode(String name, int seconds) throws IOException {
        return readyPart("gcode", PrintFiles.gcode(scratch(), name, seconds));
    }

    /** Queues the part for printers that the tags describe, and answers the ids of its jobs, in the queue's order. */
    List<String> build(String partId, int quantity, Map<String, String> tags) throws IOException {
        JsonNode built = api().post(
                        "/v2/builds",
                        Map.of("parts", List.of(Map.of("partId", partId, "quantity", quantity, "tags", tags))));
        String buildId = text(built.get("partBuilds").get(0), "id");
        return each(api().get("/v1/print-jobs?sort=queueOrder&partBuildId=" + buildId), "id");
    }

    /** One copy for one printer. */
    String buildFor(Machine machine, String partId) throws IOException {
        return build(partId, 1, Map.of("printer.id", machine.id())).getFirst();
    }

    JsonNode job(String id) throws IOException {
        return api().get("/v1/print-jobs/" + id);
    }

    JsonNode awaitJob(String id, String status) {
        return Eventually.see("the job is " + status, () -> job(id), job -> is(job, "status", status));
    }

    /** {@code pause}, {@code resume}, {@code cancel} or {@code retry}. */
    void tell(String verb, String jobId) throws IOException {
        api().patch("/v1/print-jobs/" + verb, Map.of("printJobIds", List.of(jobId)));
    }

    /** The user of another store: made as an operator would, beside the API. */
    Api newStore() throws IOException, SQLException {
        String store = Id.next();
        String keyId = Id.next();
        KeyText text = KeyText.next(keyId);
        String salt = Id.random(24);
        String pepper = Files.readString(data().resolve("pepper")).strip();
        try (Connection connection = DriverManager.getConnection(ownerUrl())) {
            run(connection, "insert into farm.store (\"storeId\", name) values (?, 'Another farm')", store);
            run(connection, """
                    insert into farm."apiKey" ("storeId", id, "createdAt", "updatedAt", name, active, "fullAccess",
                                               permissions, managed, hash, salt)
                    values (?, ?, now(), now(), 'owner', true, true, '[]', false, ?, ?)""", store, keyId, text.hash(pepper, salt), salt);
        }
        return new Api("http://127.0.0.1:" + port, text.toString());
    }

    private static void run(Connection connection, String sql, String... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setString(i + 1, values[i]);
            }
            statement.execute();
        }
    }

    static String text(JsonNode node, String field) {
        return node.get(field).getStringValue();
    }

    /** That field of each record of a list. */
    static List<String> each(JsonNode list, String field) {
        return StreamSupport.stream(list.values().spliterator(), false)
                .map(record -> text(record, field))
                .toList();
    }

    static boolean is(JsonNode record, String field, @Nullable Object value) {
        JsonNode found = record.get(field);
        return found != null && java.util.Objects.equals(found.getValue(), value);
    }

    static String words(JsonNode node) {
        try {
            return MAPPER.writeValueAsString(Argument.of(JsonNode.class), node);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        stop();
        wire.close();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
