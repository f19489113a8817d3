package farm.gantry.edge.provider.klipper;

import farm.gantry.edge.http.PrinterWebSocket;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.edge.session.PendingRequests;
import farm.gantry.edge.session.PushConnection.MessageQueue;
import farm.gantry.json.Json;
import farm.gantry.json.Tree;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A JSON-RPC connection over a WebSocket. Calls wait for their response; notifications are queued in order. */
final class MoonrakerSocket implements Closeable {
    /** A notification that Moonraker sends every second. The agent does not use it, so it is not parsed. */
    private static final String PROCESS_STATISTICS = "\"notify_proc_stat_update\"";

    private static final int HEAD = 80;
    private static final int UNAUTHORIZED = 401;
    private static final int UNAVAILABLE = 500;

    private final MessageQueue<MoonrakerNotification> messages;
    private final AtomicInteger lastId = new AtomicInteger();
    private final PendingRequests pending = new PendingRequests();
    private final PrinterWebSocket socket;

    MoonrakerSocket(URI address, MessageQueue<MoonrakerNotification> messages)
            throws IOException, InterruptedException {
        this.messages = messages;
        this.socket = PrinterWebSocket.open(address, this::read, this::end);
    }

    /** Calls a method and returns its result; empty if the result is not an object. */
    Map<String, Object> call(String method, Map<String, ?> params, Duration timeout)
            throws IOException, Refusal, InterruptedException {
        int id = lastId.incrementAndGet();
        Map<String, Object> request = new LinkedHashMap<>();
        request.put("jsonrpc", "2.0");
        request.put("method", method);
        request.put("id", id);
        request.put("params", params);
        String text = Json.write(request);
        return resultOf(method, pending.send(String.valueOf(id), method, timeout, () -> socket.send(text)));
    }

    /**
     * Returns the result in a response, or throws its error. An {@code IOException} means that it is unknown whether
     * the call was carried out: Moonraker itself failed or lost Klipper.
     */
    private static Map<String, Object> resultOf(String method, Map<String, Object> answer) throws IOException, Refusal {
        Map<String, Object> error = Tree.object(answer, "error");
        if (error.isEmpty()) {
            return Tree.object(answer, "result");
        }
        String message = String.valueOf(error.get("message"));
        Integer code = Tree.integer(error, "code");
        if (code != null && code >= UNAVAILABLE) {
            throw new IOException(method + ": " + message);
        }
        throw Refusal.byPrinter(code != null && code == UNAUTHORIZED ? MoonrakerAddress.UNAUTHORIZED : message);
    }

    private void read(String text) {
        int chatter = text.indexOf(PROCESS_STATISTICS);
        if (chatter >= 0 && chatter <= HEAD) {
            return;
        }
        try {
            Map<String, Object> message = Json.tree(text);
            Integer id = Tree.integer(message, "id");
            if (id == null || !pending.complete(String.valueOf(id), message)) {
                onNotification(message, text.length());
            }
        } catch (IOException e) {
            end("Moonraker sent invalid JSON: " + e.getMessage());
        }
    }

    private void onNotification(Map<String, Object> message, int bytes) {
        String method = Tree.text(message, "method");
        switch (method == null ? "" : method) {
            case "notify_status_update" ->
                Tree.list(message, "params").stream()
                        .limit(1)
                        .map(Tree::object)
                        .map(MoonrakerNotification.StatusUpdate::new)
                        .forEach(update -> onStatusUpdate(update, bytes));
            case "notify_history_changed" ->
                Tree.list(message, "params").stream()
                        .filter(change -> "added".equals(Tree.text(change, "action")))
                        .map(change -> Tree.text(change, "job", "job_id"))
                        .filter(Objects::nonNull)
                        .forEach(print -> messages.add(new MoonrakerNotification.PrintAdded(print), bytes));
            case "notify_klippy_ready" -> messages.add(new MoonrakerNotification.KlippyReady(), bytes);
            case "notify_klippy_shutdown" -> messages.add(new MoonrakerNotification.KlippyShutdown(), bytes);
            case "notify_klippy_disconnected" -> messages.add(new MoonrakerNotification.KlippyDisconnected(), bytes);
            default -> {}
        }
    }

    private void onStatusUpdate(MoonrakerNotification.StatusUpdate delta, int bytes) {
        if (delta.isSignificant()) {
            messages.add(delta, bytes);
        } else {
            messages.addLater(delta, bytes);
        }
    }

    void notify(MoonrakerNotification notification) {
        messages.add(notification, 0);
    }

    /** Returns the notification after the current one, null without one. */
    @Nullable
    MoonrakerNotification nextNotification() {
        return messages.peek();
    }

    void discardNotifications() {
        messages.discard();
    }

    private void end(String reason) {
        pending.failAll(reason);
        messages.end(reason);
    }

    @Override
    public void close() {
        pending.failAll("the connection was closed");
        socket.close();
    }
}
