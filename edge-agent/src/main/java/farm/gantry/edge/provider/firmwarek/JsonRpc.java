package farm.gantry.edge.provider.firmwarek;

import farm.gantry.edge.http.Questions;
import farm.gantry.edge.http.TextSocket;
import farm.gantry.edge.inbox.Inbox;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.json.Json;
import farm.gantry.json.Tree;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/** JSON-RPC over one WebSocket: calls wait for their answer, notifications are passed on in order. */
final class JsonRpc implements AutoCloseable {
    /** Sent every second, read by nobody here: not worth parsing. */
    private static final String CHATTER = "\"notify_proc_stat_update\"";

    private static final int HEAD = 80;
    private static final int UNAVAILABLE = 500;

    private final Inbox<Heard> heard;
    private final AtomicInteger lastId = new AtomicInteger();
    private final Questions questions = new Questions();
    private final TextSocket socket;

    JsonRpc(URI address, Inbox<Heard> heard) throws IOException, InterruptedException {
        this.heard = heard;
        this.socket = TextSocket.open(address, this::read, this::end);
    }

    /** The result as an object; a result that is none is an empty one. */
    Map<String, Object> call(String method, Map<String, ?> params, Duration patience)
            throws IOException, Refusal, InterruptedException {
        int id = lastId.incrementAndGet();
        Map<String, Object> request = new LinkedHashMap<>();
        request.put("jsonrpc", "2.0");
        request.put("method", method);
        request.put("id", id);
        request.put("params", params);
        String text = Json.write(request);
        return result(method, questions.ask(String.valueOf(id), method, patience, () -> socket.send(text)));
    }

    /** A fault of Moonraker itself, or Klipper gone meanwhile, leaves open whether the call was carried out. */
    private static Map<String, Object> result(String method, Map<String, Object> answer) throws IOException, Refusal {
        Map<String, Object> error = Tree.object(answer, "error");
        if (error.isEmpty()) {
            return Tree.object(answer, "result");
        }
        String message = String.valueOf(error.get("message"));
        Integer code = Tree.integer(error, "code");
        if (code != null && code >= UNAVAILABLE) {
            throw new IOException(method + ": " + message);
        }
        throw Refusal.answered(message);
    }

    private void read(String text) {
        int chatter = text.indexOf(CHATTER);
        if (chatter >= 0 && chatter <= HEAD) {
            return;
        }
        try {
            Map<String, Object> message = Json.tree(text);
            Integer id = Tree.integer(message, "id");
            if (id == null || !questions.answered(String.valueOf(id), message)) {
                notified(message);
            }
        } catch (IOException e) {
            end("it sent what is not JSON: " + e.getMessage());
        }
    }

    private void notified(Map<String, Object> message) {
        String method = Tree.text(message, "method");
        switch (method == null ? "" : method) {
            case "notify_status_update" ->
                Tree.list(message, "params").stream()
                        .limit(1)
                        .map(Tree::object)
                        .map(Heard.Delta::new)
                        .forEach(this::told);
            case "notify_history_changed" ->
                Tree.list(message, "params").stream()
                        .filter(change -> "added".equals(Tree.text(change, "action")))
                        .map(change -> Tree.text(change, "job", "job_id"))
                        .filter(Objects::nonNull)
                        .forEach(print -> heard.add(new Heard.Begun(print)));
            case "notify_klippy_ready" -> heard.add(new Heard.KlippyReady());
            case "notify_klippy_shutdown" -> heard.add(new Heard.KlippyShutdown());
            case "notify_klippy_disconnected" -> heard.add(new Heard.KlippyDisconnected());
            default -> {}
        }
    }

    private void told(Heard.Delta delta) {
        if (delta.isNews()) {
            heard.add(delta);
        } else {
            heard.addLater(delta);
        }
    }

    private void end(String reason) {
        questions.end(reason);
        heard.add(new Heard.Closed(reason));
    }

    @Override
    public void close() {
        questions.end("the connection was closed");
        socket.close();
    }
}
