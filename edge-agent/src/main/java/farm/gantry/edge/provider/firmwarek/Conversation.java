package farm.gantry.edge.provider.firmwarek;

import farm.gantry.edge.camera.HttpCamera;
import farm.gantry.edge.camera.Picture;
import farm.gantry.edge.http.PrinterHttp;
import farm.gantry.edge.inbox.Inbox;
import farm.gantry.edge.printer.Bindings;
import farm.gantry.edge.printer.Connection;
import farm.gantry.edge.printer.Provider.Listener;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.edge.retry.Redial;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The talk with one Moonraker, from opening to opening: one thread, which tries again for ever. */
final class Conversation implements Connection {
    private static final Logger LOG = LoggerFactory.getLogger(Conversation.class);
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final Duration KLIPPY_AGAIN = Duration.ofSeconds(2);
    private static final Duration START = Duration.ofMinutes(2);
    /** Klipper answers a cancel only when it has finished heating, and a script only when it has run. */
    private static final Duration LONG = Duration.ofMinutes(30);

    private final HttpClient http;
    private final Address address;
    private final Bindings bindings;
    private final Duration silence;
    private final Listener listener;
    private final Redial redial;
    private volatile @Nullable JsonRpc line;
    private volatile List<String> objects = List.of();

    private Conversation(HttpClient http, Address address, Bindings bindings, Duration silence, Listener listener) {
        this.http = http;
        this.address = address;
        this.bindings = bindings;
        this.silence = silence;
        this.listener = listener;
        this.redial = new Redial(this::talk, listener::lost);
    }

    /** {@code silence}: after so much of it the printer is asked whether it is there. */
    static Conversation begin(
            HttpClient http, Address address, Bindings bindings, Duration silence, Listener listener) {
        Conversation conversation = new Conversation(http, address, bindings, silence, listener);
        conversation.redial.begin();
        return conversation;
    }

    private void talk() throws IOException, Refusal, InterruptedException {
        try (Inbox<Heard> heard = Inbox.open();
                JsonRpc rpc = new JsonRpc(address.webSocket(token()), heard)) {
            identify(rpc);
            while (true) {
                awaitKlippy(rpc);
                heard.keep(Heard.Closed.class::isInstance);
                Klipper klipper = subscribe(rpc);
                line = rpc;
                redial.reached();
                listen(rpc, heard, klipper);
            }
        } finally {
            line = null;
        }
    }

    /** A key opens the WebSocket through a token that is good once. */
    private @Nullable String token() throws IOException, InterruptedException {
        if (address.apiKey() == null) {
            return null;
        }
        HttpRequest request = HttpRequest.newBuilder(address.http("/access/oneshot_token"))
                .timeout(SOON)
                .header("X-Api-Key", address.apiKey())
                .build();
        HttpResponse<String> answer = PrinterHttp.exchange(http, request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException(
                    answer.statusCode() == 401
                            ? "Moonraker does not accept the API key"
                            : "Moonraker gave no token: " + answer.statusCode());
        }
        return Tree.text(Json.tree(answer.body()), "result");
    }

    /** Moonraker lets one agent of a name in; that a broken line still holds the name is no reason to stay away. */
    private void identify(JsonRpc rpc) throws IOException, InterruptedException {
        try {
            rpc.call(
                    "server.connection.identify",
                    Map.of("client_name", "gantry", "version", "0.1", "type", "agent", "url", "https://gantry.farm"),
                    SOON);
        } catch (Refusal e) {
            LOG.debug("{}: {}", address, e.getMessage());
        }
    }

    /**
     * A shut down Klipper is waited for in the subscription, which tells when it is well again. One that found a fault
     * in its configuration is there to be told why, and to be restarted.
     */
    private void awaitKlippy(JsonRpc rpc) throws IOException, Refusal, InterruptedException {
        boolean isShown = false;
        while (true) {
            Map<String, Object> info = rpc.call("server.info", Map.of(), SOON);
            String state = String.valueOf(info.get("klippy_state"));
            boolean isConnected = Tree.truth(info, "klippy_connected");
            if (isConnected && (state.equals("ready") || state.equals("shutdown"))) {
                return;
            }
            if (isConnected && (state.equals("error") || state.equals("startup"))) {
                Klipper unready = unready(rpc, state);
                line = rpc;
                redial.reached();
                listener.saw(Readings.of(unready), !isShown);
                isShown = true;
            } else {
                listener.lost("Klipper is not ready: " + state);
                isShown = false;
            }
            Thread.sleep(KLIPPY_AGAIN);
        }
    }

    private static Klipper unready(JsonRpc rpc, String state) throws IOException, Refusal, InterruptedException {
        String message = Tree.text(rpc.call("printer.info", Map.of(), SOON), "state_message");
        return Klipper.empty()
                .merge(Map.of(
                        "webhooks", Map.of("state", state, "state_message", Objects.requireNonNullElse(message, ""))));
    }

    private Klipper subscribe(JsonRpc rpc) throws IOException, Refusal, InterruptedException {
        List<?> present = Tree.list(rpc.call("printer.objects.list", Map.of(), SOON), "objects");
        objects = present.stream().map(String::valueOf).toList();
        Map<String, Object> answer =
                rpc.call("printer.objects.subscribe", Map.of("objects", Klipper.wanted(present)), SOON);
        Klipper klipper = Klipper.empty().merge(Tree.object(answer, "status"));
        return klipper.about(metadata(rpc, klipper.fileName())).counted(newestPrint(rpc));
    }

    private static @Nullable String newestPrint(JsonRpc rpc) throws IOException, InterruptedException {
        try {
            return new History(rpc.call("server.history.list", Map.of("limit", 1, "order", "desc"), SOON)).newest();
        } catch (Refusal e) {
            return null;
        }
    }

    private static Map<String, Object> metadata(JsonRpc rpc, String fileName) throws IOException, InterruptedException {
        if (fileName.isEmpty()) {
            return Map.of();
        }
        try {
            return rpc.call("server.files.metadata", Map.of("filename", fileName), SOON);
        } catch (Refusal e) {
            return Map.of();
        }
    }

    /** Until Klipper is gone or back: its subscriptions end with it. */
    private void listen(JsonRpc rpc, Inbox<Heard> heard, Klipper subscribed)
            throws IOException, Refusal, InterruptedException {
        Klipper klipper = subscribed;
        listener.saw(Readings.of(klipper), true);
        while (true) {
            switch (heard.poll(silence)) {
                case null -> rpc.call("server.info", Map.of(), SOON);
                case Heard.Delta(Map<String, Object> delta) -> {
                    Klipper next = klipper.merge(delta);
                    if (!next.fileName().equals(klipper.fileName())) {
                        next = next.about(Map.of());
                        Thread.ofVirtual().start(() -> askMetadata(rpc, heard, delta));
                    }
                    klipper = next;
                    if (!(heard.peek() instanceof Heard.Delta later) || later.isNews()) {
                        listener.saw(Readings.of(klipper), false);
                    }
                }
                case Heard.Metadata(String fileName, Map<String, Object> metadata) -> {
                    if (fileName.equals(klipper.fileName())) {
                        klipper = klipper.about(metadata);
                        listener.saw(Readings.of(klipper), false);
                    }
                }
                case Heard.Begun(String print) -> {
                    klipper = klipper.counted(print);
                    listener.saw(Readings.of(klipper), false);
                }
                case Heard.KlippyShutdown() -> {
                    klipper = klipper.merge(Map.of("webhooks", Map.of("state", "shutdown")));
                    listener.saw(Readings.of(klipper), false);
                }
                case Heard.KlippyReady() -> {
                    return;
                }
                case Heard.KlippyDisconnected() -> {
                    listener.lost("Klipper is not connected to Moonraker");
                    return;
                }
                case Heard.Closed(String reason) -> throw new IOException(reason);
            }
        }
    }

    private static void askMetadata(JsonRpc rpc, Inbox<Heard> heard, Map<String, Object> delta) {
        String fileName = Tree.text(delta, "print_stats", "filename");
        try {
            if (fileName != null) {
                heard.add(new Heard.Metadata(fileName, metadata(rpc, fileName)));
            }
        } catch (IOException e) {
            // The line is broken: the next subscription asks again.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void upload(Path file, String sha256, String fileName) throws IOException, Refusal, InterruptedException {
        new Upload(http, address).send(file, sha256, fileName);
    }

    @Override
    public void start(String fileName, Command.@Nullable Print wanted)
            throws IOException, Refusal, InterruptedException {
        if (wanted != null && wanted.materialMapping() != null) {
            new Filaments(reached(), objects).place(wanted.materialMapping());
        }
        ask("printer.print.start", Map.of("filename", fileName), START);
    }

    @Override
    public void pause() throws IOException, Refusal, InterruptedException {
        ask("printer.print.pause", Map.of(), LONG);
    }

    @Override
    public void resume() throws IOException, Refusal, InterruptedException {
        ask("printer.print.resume", Map.of(), LONG);
    }

    @Override
    public void cancel() throws IOException, Refusal, InterruptedException {
        ask("printer.print.cancel", Map.of(), LONG);
    }

    @Override
    public void order(Command.Send send) throws IOException, Refusal, InterruptedException {
        switch (send.command()) {
            case EMERGENCY_STOP -> ask("printer.emergency_stop", Map.of(), SOON);
            case FIRMWARE_RESTART -> ask("printer.firmware_restart", Map.of(), SOON);
            default -> {
                reached();
                String script = new Scripts(objects, bindings).of(send);
                if (!script.isBlank()) {
                    ask("printer.gcode.script", Map.of("script", script), LONG);
                }
            }
        }
    }

    @Override
    public Picture snapshot() throws IOException, Refusal, InterruptedException {
        String told = Tree.list(ask("server.webcams.list", Map.of(), SOON), "webcams").stream()
                .filter(webcam -> !Boolean.FALSE.equals(Tree.object(webcam).get("enabled")))
                .map(webcam -> Objects.requireNonNullElse(Tree.text(webcam, "snapshot_url"), ""))
                .filter(url -> !url.isBlank())
                .findFirst()
                .orElseThrow(() -> new Refusal("the printer has no camera that shows pictures"));
        return HttpCamera.of(http, address.web(), told).picture();
    }

    @Override
    public Optional<Remembered> recall(String fileName) throws IOException, Refusal, InterruptedException {
        Map<String, Object> history = ask("server.history.list", Map.of("limit", 50, "order", "desc"), SOON);
        return new History(history).ending(fileName);
    }

    /** Without a line nothing is sent, which is a plain no. */
    private Map<String, Object> ask(String method, Map<String, ?> params, Duration patience)
            throws IOException, Refusal, InterruptedException {
        return reached().call(method, params, patience);
    }

    private JsonRpc reached() throws Refusal {
        JsonRpc rpc = line;
        if (rpc == null) {
            throw new Refusal("the printer is offline");
        }
        return rpc;
    }

    @Override
    public void close() {
        redial.close();
        JsonRpc rpc = line;
        if (rpc != null) {
            rpc.close();
        }
    }
}
