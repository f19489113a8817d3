package farm.gantry.edge.provider.klipper;

import farm.gantry.edge.camera.CameraImage;
import farm.gantry.edge.camera.HttpCamera;
import farm.gantry.edge.http.PrinterHttp;
import farm.gantry.edge.printer.connection.PrinterBindings;
import farm.gantry.edge.printer.connection.PrinterConnection;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.connection.Provider.Listener;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.edge.session.PrinterSession;
import farm.gantry.edge.session.PushConnection;
import farm.gantry.edge.session.PushConnection.MessageQueue;
import farm.gantry.edge.session.PushConnection.Protocol;
import farm.gantry.edge.trust.PinnedIdentity;
import farm.gantry.json.Json;
import farm.gantry.json.Tree;
import farm.gantry.wire.Command;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The connection to one Moonraker and the Klipper behind it. */
final class MoonrakerSession implements PrinterConnection, Protocol<MoonrakerSocket, MoonrakerNotification> {
    private static final Logger LOG = LoggerFactory.getLogger(MoonrakerSession.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration BETWEEN_KLIPPY_CHECKS = Duration.ofSeconds(2);
    private static final Duration UNTIL_AT_REST = Duration.ofSeconds(20);
    /**
     * The time limit for scripts, starts and cancels. Klipper answers a cancel only after it has finished heating, and
     * a script or a start only after all earlier ones.
     */
    private static final Duration SCRIPT_TIMEOUT = Command.Send.MAX_SCRIPT;

    private final HttpClient http;
    private final MoonrakerAddress address;
    private final PinnedIdentity pin;
    private final PrinterBindings bindings;
    private final Set<String> cameraHosts;
    private final PushConnection<MoonrakerSocket, MoonrakerNotification> connection;
    private volatile KlipperState klipper = KlipperState.empty();
    private volatile List<String> objects = List.of();

    /** Creates a session. {@code silence} is how long the printer may send nothing before it is probed. */
    MoonrakerSession(
            HttpClient http,
            MoonrakerAddress address,
            PinnedIdentity pin,
            PrinterBindings bindings,
            Set<String> cameraHosts,
            Duration silence,
            Listener listener) {
        this.http = http;
        this.address = address;
        this.pin = pin;
        this.bindings = bindings;
        this.cameraHosts = cameraHosts;
        this.connection = new PushConnection<>(this, silence, listener);
    }

    MoonrakerSession start() {
        connection.start();
        return this;
    }

    @Override
    public MoonrakerSocket open(MessageQueue<MoonrakerNotification> messages) throws IOException, InterruptedException {
        return new MoonrakerSocket(address.webSocket(requestToken()), messages);
    }

    /**
     * Initializes a new connection. The first query is one that every Moonraker answers unless it rejects the agent.
     */
    @Override
    public void onConnect(MoonrakerSocket rpc) throws IOException, Refusal, InterruptedException {
        identify(rpc);
        rpc.call("server.info", Map.of(), TIMEOUT);
        MoonrakerIdentity.query(rpc).check(pin, address);
        subscribe(rpc);
    }

    @Override
    public boolean onSilence(MoonrakerSocket rpc) throws IOException, Refusal, InterruptedException {
        rpc.call("server.info", Map.of(), TIMEOUT);
        return true;
    }

    /** Returns a single-use token, for which the API key opens the WebSocket. */
    private @Nullable String requestToken() throws IOException, InterruptedException {
        if (address.apiKey() == null) {
            return null;
        }
        HttpRequest request = HttpRequest.newBuilder(address.http("/access/oneshot_token"))
                .timeout(TIMEOUT)
                .header("X-Api-Key", address.apiKey())
                .build();
        HttpResponse<String> answer = PrinterHttp.exchange(http, request, PrinterHttp.limitedText());
        if (answer.statusCode() != 200) {
            throw new IOException(
                    answer.statusCode() == 401
                            ? MoonrakerAddress.UNAUTHORIZED
                            : "Moonraker gave no token: " + answer.statusCode());
        }
        return Tree.text(Json.tree(answer.body()), "result");
    }

    /**
     * Identifies the agent to Moonraker, which accepts only one agent with a name. If a broken connection still uses
     * the name, the agent stays connected without a name.
     */
    private void identify(MoonrakerSocket rpc) throws IOException, InterruptedException {
        try {
            rpc.call(
                    "server.connection.identify",
                    Map.of("client_name", "gantry", "version", "0.1", "type", "agent", "url", "https://gantry.farm"),
                    TIMEOUT);
        } catch (Refusal e) {
            LOG.debug("{}: {}", address, e.getMessage());
        }
    }

    /**
     * Waits until Klipper can be subscribed to. This includes a Klipper that has shut down, which reports when it works
     * again. A configuration error is reported with its reason; a person can then restart Klipper.
     */
    private void awaitKlippy(MoonrakerSocket rpc) throws IOException, Refusal, InterruptedException {
        connection.session().onRestart();
        while (true) {
            Map<String, Object> info = rpc.call("server.info", Map.of(), TIMEOUT);
            String state = String.valueOf(info.get("klippy_state"));
            boolean isConnected = Tree.flag(info, "klippy_connected");
            if (isConnected && (state.equals("ready") || state.equals("shutdown"))) {
                return;
            }
            if (isConnected && (state.equals("error") || state.equals("startup"))) {
                connection.onStatus(KlipperStatusParser.parse(describeUnready(rpc, state)));
            } else {
                connection.session().onNotReady("Klipper is not ready: " + state);
            }
            Thread.sleep(BETWEEN_KLIPPY_CHECKS);
        }
    }

    private KlipperState describeUnready(MoonrakerSocket rpc, String state) throws IOException, InterruptedException {
        return KlipperState.empty().merge(readWebhooks(rpc, state));
    }

    /**
     * Returns Klipper's object {@code webhooks} in this state, with the message of the same state. The notification of
     * a shutdown arrives before the message in the status, which until then belongs to the previous state.
     */
    private Map<String, Object> readWebhooks(MoonrakerSocket rpc, String state)
            throws IOException, InterruptedException {
        String message = null;
        try {
            Map<String, Object> info = rpc.call("printer.info", Map.of(), TIMEOUT);
            message = state.equals(info.get("state")) ? Tree.text(info, "state_message") : null;
        } catch (Refusal e) {
            LOG.debug("{}: printer.info failed: {}", address, e.getMessage());
        }
        return Map.of("webhooks", Map.of("state", state, "state_message", Objects.requireNonNullElse(message, "")));
    }

    private void subscribe(MoonrakerSocket rpc) throws IOException, Refusal, InterruptedException {
        awaitKlippy(rpc);
        rpc.discardNotifications();
        List<?> present = Tree.list(rpc.call("printer.objects.list", Map.of(), TIMEOUT), "objects");
        objects = present.stream().map(String::valueOf).toList();
        Map<String, Object> answer =
                rpc.call("printer.objects.subscribe", Map.of("objects", KlipperState.subscription(present)), TIMEOUT);
        KlipperState subscribed = KlipperState.empty().merge(Tree.object(answer, "status"));
        connection.session().onRestart();
        publish(subscribed.withMetadata(metadata(rpc, subscribed.fileName())).withNewestPrint(newestPrint(rpc)));
    }

    private void publish(KlipperState state) {
        klipper = state;
        connection.onStatus(KlipperStatusParser.parse(state));
    }

    private static @Nullable String newestPrint(MoonrakerSocket rpc) throws IOException, InterruptedException {
        try {
            return new MoonrakerHistory(rpc.call("server.history.list", Map.of("limit", 1, "order", "desc"), TIMEOUT))
                    .newestPrint();
        } catch (Refusal e) {
            return null;
        }
    }

    private static Map<String, Object> metadata(MoonrakerSocket rpc, String fileName)
            throws IOException, InterruptedException {
        if (fileName.isEmpty()) {
            return Map.of();
        }
        try {
            return rpc.call("server.files.metadata", Map.of("filename", fileName), TIMEOUT);
        } catch (Refusal e) {
            return Map.of();
        }
    }

    @Override
    public void onMessage(MoonrakerSocket rpc, MoonrakerNotification notification)
            throws IOException, Refusal, InterruptedException {
        KlipperState before = klipper;
        switch (notification) {
            case MoonrakerNotification.StatusUpdate update -> {
                KlipperState next = before.merge(update.status());
                if (!next.fileName().equals(before.fileName())) {
                    next = next.withMetadata(Map.of());
                    Thread.ofVirtual().start(() -> requestMetadata(rpc, update.status()));
                }
                klipper = next;
                if (next.isStreaming() != before.isStreaming()
                        || !(rpc.nextNotification() instanceof MoonrakerNotification.StatusUpdate later)
                        || later.isSignificant()) {
                    publish(next);
                }
            }
            case MoonrakerNotification.Metadata(String fileName, Map<String, Object> metadata) -> {
                if (fileName.equals(before.fileName())) {
                    publish(before.withMetadata(metadata));
                }
            }
            case MoonrakerNotification.PrintAdded(String print) -> publish(before.withNewestPrint(print));
            case MoonrakerNotification.KlippyShutdown() -> publish(before.merge(readWebhooks(rpc, "shutdown")));
            case MoonrakerNotification.KlippyReady() -> subscribe(rpc);
            case MoonrakerNotification.KlippyDisconnected() -> {
                connection.session().onNotReady("Klipper is not connected to Moonraker");
                subscribe(rpc);
            }
        }
    }

    private static void requestMetadata(MoonrakerSocket rpc, Map<String, Object> update) {
        String fileName = Tree.text(update, "print_stats", "filename");
        try {
            if (fileName != null) {
                rpc.notify(new MoonrakerNotification.Metadata(fileName, metadata(rpc, fileName)));
            }
        } catch (IOException e) {
            // The connection is broken: the next subscription requests it again.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public PrinterStatus currentStatus(PrinterSession session) throws Refusal, InterruptedException {
        return KlipperStatusParser.parse(queryObjects());
    }

    private KlipperState queryObjects() throws Refusal, InterruptedException {
        MoonrakerSocket rpc = connection.connected();
        try {
            Map<String, Object> answer =
                    rpc.call("printer.objects.query", Map.of("objects", KlipperState.subscription(objects)), TIMEOUT);
            return klipper.merge(Tree.object(answer, "status"));
        } catch (IOException | Refusal e) {
            throw new Refusal("the printer does not answer the status request: " + e.getMessage());
        }
    }

    @Override
    public void upload(Path file, String sha256, String fileName) throws IOException, Refusal, InterruptedException {
        new MoonrakerFiles(http, address, pin).upload(file, sha256, fileName);
    }

    @Override
    public void removeFile(String fileName) throws IOException, Refusal, InterruptedException {
        connection.session().removeFile(fileName, _ -> new MoonrakerFiles(http, address, pin).remove(fileName));
    }

    /** Starts a print. Refuses while a script runs, because Klipper would queue the start until the script ends. */
    @Override
    public void start(String fileName, Command.@Nullable Print wanted, StatusCheck check)
            throws IOException, Refusal, InterruptedException {
        if (klipper.isScriptRunning()) {
            connection.awaitStatus(_ -> !klipper.isScriptRunning(), UNTIL_AT_REST);
        }
        requireNoScript();
        connection.session().start(check, _ -> {
            if (queryObjects().isScriptRunning()) {
                throw new Refusal("the printer cannot start a print now, it is running a script");
            }
            if (wanted != null && wanted.materialMapping() != null) {
                new FilamentMapper(connection.connected(), objects).sendMapping(wanted.materialMapping());
                check.check(currentStatus(connection.session()));
            }
            callMoonraker("printer.print.start", Map.of("filename", fileName), SCRIPT_TIMEOUT);
        });
    }

    /**
     * Refuses if an empty script is not answered at once, which shows that another script runs. Klipper does not report
     * a script that only heats or dwells as busy.
     */
    private void requireNoScript() throws Refusal, InterruptedException {
        MoonrakerSocket rpc = connection.connected();
        try {
            runScript(rpc, "", UNTIL_AT_REST);
        } catch (IOException | Refusal e) {
            throw new Refusal("the printer cannot start a print now, it may be running a script: " + e.getMessage());
        }
    }

    /**
     * Sends an empty script and waits for it, because Klipper carries a start out behind a script that began right
     * before it.
     */
    @Override
    public void awaitQueuedCommands() throws IOException, Refusal, InterruptedException {
        runScript(connection.connected(), "", SCRIPT_TIMEOUT);
    }

    private static void runScript(MoonrakerSocket rpc, String script, Duration timeout)
            throws IOException, Refusal, InterruptedException {
        rpc.call("printer.gcode.script", Map.of("script", script), timeout);
    }

    /** Pauses, resumes or cancels the print, without waiting for a start that is not answered yet. */
    @Override
    public void control(Control control, StatusCheck check) throws IOException, Refusal, InterruptedException {
        String method = switch (control) {
            case PAUSE -> "printer.print.pause";
            case RESUME -> "printer.print.resume";
            case CANCEL -> "printer.print.cancel";
        };
        connection.session().requirePrint(check);
        callMoonraker(method, Map.of(), SCRIPT_TIMEOUT);
    }

    @Override
    public void sendProviderCommand(Command.Send send) throws IOException, Refusal, InterruptedException {
        switch (send.command()) {
            case EMERGENCY_STOP -> callMoonraker("printer.emergency_stop", Map.of(), TIMEOUT);
            case FIRMWARE_RESTART -> callMoonraker("printer.firmware_restart", Map.of(), TIMEOUT);
            default -> {
                MoonrakerSocket rpc = connection.connected();
                String script = new KlipperCommands(objects, bindings).toScript(send);
                if (!script.isBlank()) {
                    runScript(rpc, script, SCRIPT_TIMEOUT);
                }
            }
        }
    }

    @Override
    public CameraImage takeSnapshot() throws IOException, Refusal, InterruptedException {
        String reported = Tree.list(callMoonraker("server.webcams.list", Map.of(), TIMEOUT), "webcams").stream()
                .filter(webcam -> !Boolean.FALSE.equals(Tree.object(webcam).get("enabled")))
                .map(webcam -> Objects.requireNonNullElse(Tree.text(webcam, "snapshot_url"), ""))
                .filter(url -> !url.isBlank())
                .findFirst()
                .orElseThrow(() -> new Refusal("the printer has no camera with a snapshot URL"));
        return HttpCamera.of(http, address.web(), reported, cameraHosts).readImage();
    }

    @Override
    public Optional<RecordedEnding> findRecordedEnding(String fileName)
            throws IOException, Refusal, InterruptedException {
        Map<String, Object> history =
                callMoonraker("server.history.list", Map.of("limit", 50, "order", "desc"), TIMEOUT);
        return new MoonrakerHistory(history).ending(fileName);
    }

    private Map<String, Object> callMoonraker(String method, Map<String, ?> params, Duration timeout)
            throws IOException, Refusal, InterruptedException {
        return connection.connected().call(method, params, timeout);
    }

    @Override
    public void close() {
        connection.close();
    }
}
