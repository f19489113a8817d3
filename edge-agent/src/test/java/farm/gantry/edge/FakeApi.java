package farm.gantry.edge;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import farm.gantry.Id;
import farm.gantry.json.Json;
import farm.gantry.json.MergePatch;
import farm.gantry.json.Tree;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterMetadata;
import farm.gantry.wire.Command;
import farm.gantry.wire.LinkRequest;
import farm.gantry.wire.LinkRequest.Ack;
import farm.gantry.wire.LinkRequest.Event;
import farm.gantry.wire.LinkRequest.Kind;
import farm.gantry.wire.LinkResponse;
import farm.gantry.wire.LinkResponse.PrinterConfig;
import farm.gantry.wire.LinkResponse.SnapshotRequest;
import farm.gantry.wire.Pairing;
import farm.gantry.wire.SnapshotUpload;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** An in-memory API that serves the agent link, and that can be stopped and restarted. */
public final class FakeApi implements AutoCloseable {
    public static final String TOKEN = "the-token";
    /** The poll interval of polled printers, in milliseconds. */
    public static final int POLL_INTERVAL_MILLIS = 250;

    private static final int MAX_COMMANDS_IN_RESPONSE = 100;

    private final FileServer files = new FileServer();
    private final List<Event> events = new ArrayList<>();
    private final List<Ack> acks = new ArrayList<>();
    private final List<SnapshotRequest> requestedSnapshots = new ArrayList<>();
    private final List<SnapshotUpload> snapshots = new ArrayList<>();
    private @Nullable String version;
    private final List<LinkRequest> requests = new ArrayList<>();
    private final Map<String, Command> commands = new LinkedHashMap<>();
    private final Map<String, Map<String, @Nullable Object>> states = new LinkedHashMap<>();
    private final Map<String, String> sessions = new LinkedHashMap<>();
    private final int port;
    private volatile List<PrinterConfig> printers = List.of();
    private volatile int configVersion;
    private volatile long pollAfterMs;
    private volatile long reportAfterMs;
    private volatile String accepted = TOKEN;
    private volatile @Nullable HttpServer server;

    private final AtomicReference<@Nullable BlockedAnswer> blockedAnswer = new AtomicReference<>();
    private final AtomicReference<@Nullable BlockedAnswer> blockedPoll = new AtomicReference<>();
    private volatile long knownSequence;
    private final AtomicBoolean failing = new AtomicBoolean();
    private final AtomicReference<@Nullable String> conflict = new AtomicReference<>();
    private volatile @Nullable String newAddress;
    private volatile List<String> recorded = List.of();

    /** An answer that the API delays until {@code go} is released. */
    public record BlockedAnswer(CountDownLatch reached, CountDownLatch go) {}

    /** Blocks the next answer to a long poll until it is released. */
    public BlockedAnswer blockNextPoll() {
        BlockedAnswer held = new BlockedAnswer(new CountDownLatch(1), new CountDownLatch(1));
        blockedPoll.set(held);
        return held;
    }

    /** Pretends that the API has received events up to this sequence, as after a restore of the agent's data folder. */
    public synchronized void hasEventsUpTo(long sequence) {
        knownSequence = sequence;
    }

    /** Answers the next message with an error. */
    public void failOnce() {
        failing.set(true);
    }

    /** Sets whether the API serves another process with the agent's token. */
    public void serveAnother(boolean isServed) {
        conflict.set(isServed ? "agent_superseded" : null);
    }

    /**
     * Moves the store to another API, with its pending commands and event numbers, and tells the agent from now on that it is
     * there.
     */
    public synchronized void moveTo(FakeApi other) {
        synchronized (other) {
            other.commands.putAll(commands);
            other.knownSequence = lastSequence();
            other.serve(printers.toArray(PrinterConfig[]::new));
        }
        newAddress = other.address();
        notifyAll();
    }

    /** Answers all requests from now on with a conflict of this code. */
    public void conflict(String code) {
        conflict.set(code);
    }

    /**
     * Answers from now on with the recorded messages of a server of another version. Their placeholders get the values of
     * this API.
     */
    public void answerWith(List<String> messages) {
        recorded = messages;
    }

    private String recordedAnswer(LinkResponse answer) {
        String content =
                answer.printers() != null ? "{printer}" : answer.commands().isEmpty() ? "" : "{command}";
        String text = recorded.stream()
                .filter(message -> content.isEmpty()
                        ? !message.contains("{printer}") && !message.contains("{command}")
                        : message.contains(content))
                .findFirst()
                .orElseThrow()
                .replaceFirst("\"ackSequence\":\\d+", "\"ackSequence\":" + answer.ackSequence());
        PrinterConfig printer = printers.getFirst();
        if (content.equals("{printer}") && printer.metadata() instanceof PrinterMetadata.FirmwareK metadata) {
            return text.replace("{printer}", printer.printerId())
                    .replace("{device}", printer.deviceId())
                    .replace("{port}", String.valueOf(metadata.serverPort()));
        }
        if (content.equals("{command}") && answer.commands().getFirst().action() instanceof Command.Print print) {
            Command command = answer.commands().getFirst();
            return text.replace("{command}", command.commandId())
                    .replace("{device}", command.deviceId())
                    .replace("{expiresAt}", command.expiresAt().toString())
                    .replace("{job}", print.jobId())
                    .replace("{url}", print.url())
                    .replace("{sha256}", print.sha256())
                    .replace("{size}", String.valueOf(print.size()));
        }
        return text;
    }

    /** Blocks the next answer, which has the current printers, until it is released. */
    public BlockedAnswer blockNextAnswer() {
        BlockedAnswer held = new BlockedAnswer(new CountDownLatch(1), new CountDownLatch(1));
        blockedAnswer.set(held);
        return held;
    }

    public FakeApi() throws IOException {
        this.port = open(0);
    }

    private int open(int wanted) throws IOException {
        HttpServer opened = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), wanted), 0);
        opened.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        opened.createContext("/v1/agents/pair", this::pair);
        opened.createContext("/v1/agents/link", this::link);
        opened.createContext("/v1/agents/link/stills", this::snapshot);
        opened.createContext("/files", files::answer);
        opened.start();
        server = opened;
        return opened.getAddress().getPort();
    }

    public String address() {
        return "http://127.0.0.1:" + port;
    }

    public FileServer files() {
        return files;
    }

    public void goDown() {
        HttpServer running = server;
        if (running != null) {
            running.stop(0);
            server = null;
        }
    }

    public void comeBack() throws IOException {
        open(port);
    }

    /**
     * Disables long polling: asks the agent to poll after {@code pause} and to send routine reports after {@code
     * report}.
     */
    public void pauseAfterAnswers(Duration pause, Duration report) {
        reportAfterMs = report.toMillis();
        pollAfterMs = pause.toMillis();
    }

    public synchronized void serve(PrinterConfig... configs) {
        printers = List.of(configs);
        configVersion++;
        notifyAll();
    }

    public static PrinterConfig firmwareK(String deviceId, int port, @Nullable String apiKey) {
        PrinterMetadata metadata = new PrinterMetadata.FirmwareK(
                1, 0.4, port, "127.0.0.1", apiKey, null, null, null, null, null, null, null);
        return new PrinterConfig(Id.next(), deviceId, deviceId, Printer.Provider.firmwareK, metadata, null, null);
    }

    public static PrinterConfig sdcp(String deviceId, int port, String mainboardId) {
        PrinterMetadata metadata = new PrinterMetadata.Sdcp(0.4, mainboardId, "127.0.0.1", port);
        return new PrinterConfig(Id.next(), deviceId, deviceId, Printer.Provider.sdcp, metadata, null, null);
    }

    public static PrinterConfig vendorP(String deviceId, int port, String password) {
        PrinterMetadata metadata = new PrinterMetadata.VendorP(0.4, password, POLL_INTERVAL_MILLIS, "127.0.0.1", port);
        return new PrinterConfig(Id.next(), deviceId, deviceId, Printer.Provider.vendorP, metadata, null, null);
    }

    public static PrinterConfig vendorB(String deviceId, int port, String apiKey) {
        return vendorB(deviceId, port, apiKey, POLL_INTERVAL_MILLIS, false);
    }

    public static PrinterConfig vendorB(String deviceId, int port, String apiKey, int interval, boolean https) {
        PrinterMetadata metadata = new PrinterMetadata.VendorB(apiKey, "127.0.0.1", port, 0.4, interval, https);
        return new PrinterConfig(Id.next(), deviceId, deviceId, Printer.Provider.vendorB, metadata, null, null);
    }

    public static PrinterConfig vendorA(String deviceId, int port, String serial, String accessCode) {
        PrinterMetadata metadata = new PrinterMetadata.VendorA(
                accessCode, serial, "X1C", "X1 Carbon", deviceId, 0.4, true, "", "127.0.0.1", port);
        return new PrinterConfig(Id.next(), deviceId, deviceId, Printer.Provider.vendorA, metadata, null, null);
    }

    public static PrinterConfig anycubic(String deviceId, int port) {
        PrinterMetadata metadata = new PrinterMetadata.Anycubic(0.4, "127.0.0.1", port);
        return new PrinterConfig(Id.next(), deviceId, deviceId, Printer.Provider.anycubic, metadata, null, null);
    }

    public static PrinterConfig elegoo(String deviceId, int port, String accessCode) {
        PrinterMetadata metadata = new PrinterMetadata.ElegooMqtt(0.4, accessCode, "127.0.0.1", port);
        return new PrinterConfig(Id.next(), deviceId, deviceId, Printer.Provider.ELEGOO_MQTT, metadata, null, null);
    }

    public synchronized String command(String deviceId, Command.Action action) {
        return command(deviceId, Instant.now().plusSeconds(300), action);
    }

    public synchronized String command(String deviceId, Instant expiresAt, Command.Action action) {
        String id = Id.next();
        commands.put(id, new Command(id, deviceId, expiresAt, action));
        notifyAll();
        return id;
    }

    /** Expires a command that is not acknowledged yet. */
    public synchronized void expire(String commandId) {
        commands.computeIfPresent(
                commandId, (_, command) -> new Command(commandId, command.deviceId(), Instant.EPOCH, command.action()));
    }

    /** Returns a print command for the file, which this API serves. */
    public Command.Print print(String jobId, int attempt, PrintFile file) {
        files.put("/files/" + file.sha256(), file.content());
        String url = address() + "/files/" + file.sha256();
        return new Command.Print(
                jobId,
                attempt,
                file.name(),
                url,
                file.text().length(),
                file.sha256(),
                null,
                null,
                1,
                null,
                null,
                null,
                null);
    }

    public void revoke() {
        accepted = "none";
    }

    /** Accepts only this token from now on, as after another pairing. */
    void accept(String token) {
        accepted = token;
    }

    public synchronized List<Kind> kinds(String jobId) {
        return events.stream()
                .filter(event -> jobId.equals(event.jobId()))
                .map(Event::kind)
                .toList();
    }

    public synchronized List<Event> events() {
        return List.copyOf(events);
    }

    public synchronized List<Ack> acks() {
        return List.copyOf(acks);
    }

    public synchronized List<LinkRequest> requests() {
        return List.copyOf(requests);
    }

    public synchronized @Nullable String status(String deviceId) {
        return Tree.text(states.get(deviceId), "status");
    }

    public synchronized Map<String, Object> state(String deviceId) {
        return Tree.object(states.get(deviceId));
    }

    private void pair(HttpExchange exchange) throws IOException {
        Pairing.Request request = Json.read(body(exchange), Pairing.Request.class);
        boolean good = request.code().equals("ABCD-1234");
        answer(
                exchange,
                good ? 200 : 400,
                good ? new Pairing.Response("agent1", "store1", TOKEN, null) : Map.of("code", 4000));
    }

    private void link(HttpExchange exchange) throws IOException {
        String authorization = exchange.getRequestHeaders().getFirst("Authorization");
        if (!("AgentToken " + accepted).equals(authorization)) {
            answer(exchange, 401, Map.of("code", 4010));
            return;
        }
        String moved = newAddress;
        if (moved != null) {
            answer(exchange, 421, Map.of("error", LinkRequest.STORE_MOVED, "address", moved));
            return;
        }
        String code = conflict.get();
        if (code != null) {
            answer(exchange, 409, Map.of("error", code));
            return;
        }
        LinkRequest request = Json.read(body(exchange), LinkRequest.class);
        String query = String.valueOf(exchange.getRequestURI().getQuery());
        int wait = Integer.parseInt(query.replaceAll("\\D", ""));
        try {
            if (wait == 0 && failing.getAndSet(false)) {
                answer(exchange, 500, Map.of("code", 5000));
                return;
            }
            BlockedAnswer held = wait == 0 ? blockedAnswer.getAndSet(null) : null;
            List<PrinterConfig> before = printers;
            LinkResponse answer = exchange(request, Duration.ofSeconds(wait));
            if (held != null) {
                held.reached().countDown();
                held.go().await();
                answer = new LinkResponse(answer.ackSequence(), before, answer.commands(), pollAfterMs);
            }
            BlockedAnswer polled = wait > 0 ? blockedPoll.getAndSet(null) : null;
            if (polled != null) {
                polled.reached().countDown();
                polled.go().await();
            }
            if (recorded.isEmpty()) {
                answer(exchange, 200, answer);
            } else {
                answerText(exchange, 200, recordedAnswer(answer));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized LinkResponse exchange(LinkRequest request, Duration wait) throws InterruptedException {
        requests.add(request);
        boolean whole = !sessions.containsKey(request.session());
        String known = sessions.getOrDefault(request.session(), "");
        request.reports().forEach(report -> {
            String reportKey = request.session() + report.deviceId();
            Map<String, @Nullable Object> before =
                    sessions.containsKey(reportKey) ? states.getOrDefault(report.deviceId(), Map.of()) : Map.of();
            sessions.put(reportKey, "");
            states.put(report.deviceId(), MergePatch.apply(before, report.state()));
        });
        long seen = lastSequence();
        request.events().stream().filter(event -> event.sequence() > seen).forEach(events::add);
        acks.addAll(request.acks());
        request.acks().forEach(ack -> commands.remove(ack.commandId()));
        Instant end = Instant.now().plus(pollAfterMs > 0 ? Duration.ZERO : wait);
        while (commands.isEmpty()
                && requestedSnapshots.isEmpty()
                && known.equals(String.valueOf(configVersion))
                && Instant.now().isBefore(end)) {
            wait(Math.max(1, Duration.between(Instant.now(), end).toMillis()));
        }
        boolean changed = whole || !known.equals(String.valueOf(configVersion));
        sessions.put(request.session(), String.valueOf(configVersion));
        long lastKnown = lastSequence();
        List<SnapshotRequest> wanted = List.copyOf(requestedSnapshots);
        requestedSnapshots.clear();
        return new LinkResponse(
                lastKnown,
                changed ? printers : null,
                commands.values().stream().limit(MAX_COMMANDS_IN_RESPONSE).toList(),
                pollAfterMs,
                reportAfterMs,
                wanted,
                version);
    }

    private long lastSequence() {
        return Math.max(knownSequence, events.isEmpty() ? 0 : events.getLast().sequence());
    }

    /** Sets the server's version; null is an older server, which sends none. */
    public synchronized void setVersion(@Nullable String version) {
        this.version = version;
    }

    /** Asks the agent once for a snapshot of a printer. */
    public synchronized void requestSnapshot(SnapshotRequest snapshot) {
        requestedSnapshots.add(snapshot);
        notifyAll();
    }

    public synchronized List<SnapshotUpload> snapshots() {
        return List.copyOf(snapshots);
    }

    private void snapshot(HttpExchange exchange) throws IOException {
        SnapshotUpload snapshot = Json.read(body(exchange), SnapshotUpload.class);
        synchronized (this) {
            snapshots.add(snapshot);
        }
        answer(exchange, 201, Map.of());
    }

    private static String body(HttpExchange exchange) throws IOException {
        return new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    }

    private static void answer(HttpExchange exchange, int status, Object body) throws IOException {
        answerText(exchange, status, Json.write(body));
    }

    private static void answerText(HttpExchange exchange, int status, String json) throws IOException {
        try (exchange) {
            byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    @Override
    public void close() {
        goDown();
    }
}
