package farm.gantry.edge.provider.firmwarek;

import farm.gantry.edge.json.Json;
import farm.gantry.edge.json.Tree;
import farm.gantry.edge.printer.Refusal;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** JSON-RPC over one WebSocket: calls wait for their answer, notifications are passed on in order. */
final class JsonRpc implements WebSocket.Listener, AutoCloseable {
    private static final Duration OPENING = Duration.ofSeconds(10);
    /** Sent every second, read by nobody here: not worth parsing. */
    private static final String CHATTER = "\"notify_proc_stat_update\"";

    private static final int HEAD = 80;
    private static final int UNAVAILABLE = 500;

    private final Consumer<Heard> heard;
    private final StringBuilder frame = new StringBuilder();
    private final AtomicInteger lastId = new AtomicInteger();
    private final ConcurrentMap<Integer, CompletableFuture<Map<String, Object>>> waiting = new ConcurrentHashMap<>();
    private final CompletableFuture<WebSocket> socket = new CompletableFuture<>();

    private JsonRpc(Consumer<Heard> heard) {
        this.heard = heard;
    }

    static JsonRpc open(HttpClient http, URI address, Consumer<Heard> heard) throws IOException, InterruptedException {
        JsonRpc rpc = new JsonRpc(heard);
        CompletableFuture<WebSocket> opening =
                http.newWebSocketBuilder().connectTimeout(OPENING).buildAsync(address, rpc);
        try {
            rpc.socket.complete(opening.get(OPENING.toSeconds(), TimeUnit.SECONDS));
            return rpc;
        } catch (ExecutionException e) {
            throw new IOException("no WebSocket at " + address.getAuthority() + ": " + words(e.getCause()), e);
        } catch (TimeoutException e) {
            opening.cancel(true);
            throw new IOException("no WebSocket at " + address.getAuthority() + " in time", e);
        }
    }

    private static String words(@Nullable Throwable cause) {
        return cause == null || cause.getMessage() == null ? String.valueOf(cause) : cause.getMessage();
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
        CompletableFuture<Map<String, Object>> answer = new CompletableFuture<>();
        waiting.put(id, answer);
        try {
            send(Json.write(request));
            return result(method, answer.get(patience.toMillis(), TimeUnit.MILLISECONDS));
        } catch (ExecutionException e) {
            throw new IOException(method + " was not answered: " + words(e.getCause()), e);
        } catch (TimeoutException e) {
            throw new IOException(method + " was not answered in " + patience.toSeconds() + " s", e);
        } finally {
            waiting.remove(id);
        }
    }

    private synchronized void send(String text) throws IOException, InterruptedException {
        try {
            socket.get().sendText(text, true).get(OPENING.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new IOException("the line is broken: " + words(e.getCause()), e);
        } catch (TimeoutException e) {
            throw new IOException("the line is stuck", e);
        }
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
        throw new Refusal(message);
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket webSocket, CharSequence data, boolean last) {
        frame.append(data);
        if (last) {
            String text = frame.toString();
            frame.setLength(0);
            if (text.indexOf(CHATTER) < 0 || text.indexOf(CHATTER) > HEAD) {
                read(text);
            }
        }
        webSocket.request(1);
        return null;
    }

    private void read(String text) {
        try {
            Map<String, Object> message = Json.tree(text);
            Integer id = Tree.integer(message, "id");
            CompletableFuture<Map<String, Object>> answer = id == null ? null : waiting.get(id);
            if (answer != null) {
                answer.complete(message);
            } else {
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
                        .forEach(heard);
            case "notify_klippy_ready" -> heard.accept(new Heard.KlippyReady());
            case "notify_klippy_shutdown" -> heard.accept(new Heard.KlippyShutdown());
            case "notify_klippy_disconnected" -> heard.accept(new Heard.KlippyDisconnected());
            default -> {}
        }
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket webSocket, int statusCode, String reason) {
        end("the connection was closed" + (reason.isEmpty() ? "" : ": " + reason));
        return null;
    }

    @Override
    public void onError(WebSocket webSocket, Throwable error) {
        end("the connection broke: " + words(error));
    }

    private void end(String reason) {
        waiting.values().forEach(answer -> answer.completeExceptionally(new IOException(reason)));
        heard.accept(new Heard.Closed(reason));
        close();
    }

    @Override
    public void close() {
        waiting.values().forEach(answer -> answer.completeExceptionally(new IOException("the connection was closed")));
        WebSocket open = socket.getNow(null);
        if (open != null) {
            open.abort();
        }
    }
}
