package farm.gantry.local;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import farm.gantry.api.main.postgres.FreePorts;
import farm.gantry.ingest.reading.FileTree;
import farm.gantry.simulator.klipper.MoonrakerSimulator;
import farm.gantry.simulator.printer.SimulationSpeed;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Prints a part on a simulated printer with the packaged server and agent of any two versions, and records the messages
 * of their link, without ids and addresses. Tests replay them. {@code infra/local/record-link} runs this.
 */
final class LinkRecorder implements FarmRequests, AutoCloseable {
    private static final String LINK = "/v1/agents/link";
    private static final int PORTS_OF_API = 2;

    private final Path folder = Files.createTempDirectory("link");
    private final int port = FreePorts.choose(PORTS_OF_API);
    private final MoonrakerSimulator printer = new MoonrakerSimulator(0, new SimulationSpeed(60, null), null);
    private final HttpClient http = HttpClient.newHttpClient();
    private final HttpServer proxy = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    private final List<Process> processes = new ArrayList<>();
    private final FarmApiClient api;
    /** The request and the response of each exchange that contained something, in the order of the responses. */
    private final List<String> messages = new ArrayList<>();
    /** Names that replace the ids and addresses of this farm in the messages, by the text that they replace. */
    private final Map<String, String> names = new LinkedHashMap<>();

    private LinkRecorder(Path server) throws IOException {
        proxy.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        proxy.createContext("/", this::forward);
        proxy.start();
        Path data = folder.resolve("data");
        Path key = folder.resolve("owner.key");
        Process serving = start(
                server.resolve("bin/gantry"),
                "serve",
                "--data",
                data.toString(),
                "--key-file",
                key.toString(),
                "--port",
                String.valueOf(port));
        Eventually.until(
                "the server has started or ended",
                () -> (isReady() && Files.exists(key)) || !serving.isAlive(),
                this::logs);
        if (!serving.isAlive()) {
            throw new IOException("the server has ended: " + logs());
        }
        this.api = new FarmApiClient(
                "http://127.0.0.1:" + port, Files.readString(key).strip());
    }

    /** Prints the messages. The arguments are the images of a server and an agent. */
    public static void main(String[] args) throws Exception {
        try (LinkRecorder recorder = new LinkRecorder(Path.of(args[0]))) {
            recorder.print(Path.of(args[1], "bin/gantry-agent"));
            recorder.messages.forEach(System.out::println);
        }
    }

    private void print(Path agent) throws Exception {
        String code = FarmRequests.text(api.post("/v1/agents/pairing-codes", Map.of()), "code");
        String data = folder.resolve("agent").toString();
        String url = "http://127.0.0.1:" + proxy.getAddress().getPort();
        Process pairing = start(agent, "pair", "--api", url, "--code", code, "--name", "agent", "--data", data);
        if (pairing.waitFor() != 0) {
            throw new IOException("the agent cannot be paired: " + logs());
        }
        String agentId = FarmRequests.text(api.get("/v1/agents").get(0), "id");
        String id = register("Recorded", List.of(), printer.port(), agentId);
        String part = readyPart("gcode", PrintFiles.gcode(folder, "recorded", 60));
        JsonNode registered = api.get("/v1/printers/" + id);
        synchronized (this) {
            names.put(FarmRequests.text(registered, "deviceId"), "{device}");
            names.put(id, "{printer}");
            names.put("\"server_port\":" + printer.port(), "\"server_port\":{port}");
        }
        Process running = start(agent, "run", "--data", data, "--status-port", "0");
        Eventually.see(
                "the printer is online",
                () -> api.get("/v1/printers/" + id),
                at -> FarmRequests.is(at, "isOnline", true));
        api.patch("/v1/printers/confirm-ready", Map.of("ids", List.of(id), "ready", true));
        String job = build(part, 1, Map.of("printer.id", id)).getFirst();
        awaitJob(job, "Completed");
        Eventually.see(
                "the printer is finished",
                () -> api.get("/v1/printers/" + id + "/state"),
                state -> FarmRequests.is(state, "status", "finished"));
        end(running);
    }

    @Override
    public FarmApiClient api() {
        return api;
    }

    private Process start(Path program, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        folder.resolve(program.getFileName() + ".log").toFile()))
                .start();
        processes.addFirst(process);
        return process;
    }

    private boolean isReady() {
        try {
            URI health = URI.create("http://127.0.0.1:" + (port + 1) + "/health/ready");
            return http.send(HttpRequest.newBuilder(health).build(), HttpResponse.BodyHandlers.discarding())
                            .statusCode()
                    == 200;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private String logs() {
        try {
            StringBuilder logs = new StringBuilder();
            for (String program : List.of("gantry", "gantry-agent")) {
                Path log = folder.resolve(program + ".log");
                logs.append(Files.exists(log) ? Files.readString(log) : "");
            }
            return logs.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Passes a request of the agent on to the server, and its response back. */
    private void forward(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            HttpRequest.Builder request = HttpRequest.newBuilder(
                            URI.create("http://127.0.0.1:" + port + exchange.getRequestURI()))
                    .header("Content-Type", "application/json")
                    .method(exchange.getRequestMethod(), HttpRequest.BodyPublishers.ofString(body));
            String authorization = exchange.getRequestHeaders().getFirst("Authorization");
            if (authorization != null) {
                request.header("Authorization", authorization);
            }
            HttpResponse<String> response = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            if (exchange.getRequestURI().getPath().equals(LINK) && response.statusCode() / 100 == 2) {
                record(body, response.body());
            }
            byte[] content = response.body().getBytes(StandardCharsets.UTF_8);
            for (String name : List.of("Content-Type", "Location")) {
                response.headers()
                        .firstValue(name)
                        .ifPresent(value -> exchange.getResponseHeaders().set(name, value));
            }
            exchange.sendResponseHeaders(response.statusCode(), content.length == 0 ? -1 : content.length);
            exchange.getResponseBody().write(content);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Records an exchange unless it is an empty poll. */
    private synchronized void record(String request, String response) throws IOException {
        JsonNode sent = api.parse(request);
        JsonNode received = api.parse(response);
        if (received.get("commands").size() > 0) {
            JsonNode command = received.get("commands").get(0);
            JsonNode print = command.get("action");
            names.putIfAbsent(FarmRequests.text(print, "url"), "{url}");
            names.putIfAbsent(FarmRequests.text(print, "sha256"), "{sha256}");
            names.putIfAbsent(FarmRequests.text(print, "jobId"), "{job}");
            names.putIfAbsent(FarmRequests.text(command, "commandId"), "{command}");
            names.putIfAbsent(FarmRequests.text(command, "expiresAt"), "{expiresAt}");
            names.putIfAbsent("\"size\":" + print.get("size").getLongValue(), "\"size\":{size}");
        }
        boolean isEmpty = sent.get("reports").size()
                                + sent.get("events").size()
                                + sent.get("acks").size()
                        == 0
                && received.get("commands").size() == 0
                && received.get("printers") == null
                && !FarmRequests.is(sent.get("instance"), "ended", true);
        if (!isEmpty) {
            messages.add("agent " + anonymize(request));
            messages.add("server " + anonymize(response));
        }
    }

    private String anonymize(String message) {
        String text = message;
        for (Map.Entry<String, String> name : names.entrySet()) {
            text = text.replace(name.getKey(), name.getValue());
        }
        return text;
    }

    private static void end(Process process) {
        process.destroy();
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws IOException {
        for (Process process : processes) {
            end(process);
        }
        proxy.stop(0);
        printer.close();
        FileTree.delete(folder);
    }
}
