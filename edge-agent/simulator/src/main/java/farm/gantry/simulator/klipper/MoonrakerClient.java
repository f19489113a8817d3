package farm.gantry.simulator.klipper;

import farm.gantry.json.Json;
import farm.gantry.json.Tree;
import farm.gantry.simulator.network.PrinterSimulator;
import farm.gantry.simulator.network.WebSocketConnection;
import farm.gantry.simulator.printer.RpcException;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One connection to a simulated Moonraker, with its subscriptions. */
final class MoonrakerClient implements WebSocketConnection.Handler {
    private final MoonrakerSimulator simulator;
    private volatile @Nullable WebSocketConnection socket;
    private volatile @Nullable Map<String, Object> subscription;
    private volatile Map<String, Object> lastStatus = Map.of();
    private volatile boolean authorized;

    MoonrakerClient(MoonrakerSimulator simulator) {
        this.simulator = simulator;
    }

    /** Accepts every connection, because Moonraker checks the authorization of each call. */
    @Override
    public boolean accepts(FullHttpRequest request) {
        List<String> tokens = new QueryStringDecoder(request.uri()).parameters().getOrDefault("token", List.of(""));
        authorized = simulator.accepts(request.headers().get("X-Api-Key"), tokens.getFirst());
        return !simulator.has("offline");
    }

    @Override
    public void answer(FullHttpRequest request, Channel channel) throws IOException {
        new MoonrakerRoutes(simulator, request).respondTo(channel);
    }

    @Override
    public void onConnect(WebSocketConnection client) {
        socket = client;
        simulator.onConnect(this);
    }

    @Override
    public void onMessage(WebSocketConnection client, String text) throws IOException {
        if (!simulator.has("silent")) {
            Map<String, Object> request = Json.tree(text);
            simulator.inOrder(method(request), () -> send(answer(request)));
        }
    }

    @Override
    public void onDisconnect() {
        simulator.onDisconnect(this);
    }

    private static String method(Map<String, Object> request) {
        return Objects.requireNonNullElse(Tree.text(request, "method"), "");
    }

    private String answer(Map<String, Object> request) {
        String method = method(request);
        Map<String, Object> params = Tree.object(request, "params");
        Map<String, @Nullable Object> answer = new LinkedHashMap<>();
        answer.put("jsonrpc", "2.0");
        try {
            if (!authorized) {
                throw new RpcException(401, "Unauthorized");
            }
            Object result = simulator.methods().call(method, params);
            answer.put("result", result);
            if (method.equals("printer.objects.subscribe")) {
                lastStatus = Tree.object(result, "status");
                subscription = Tree.object(params, "objects");
            }
        } catch (RpcException e) {
            answer.put("error", Map.of("code", e.code(), "message", String.valueOf(e.getMessage())));
        }
        answer.put("id", request.get("id"));
        return Json.write(answer);
    }

    /** Sends a notification with the fields that changed since the last one. */
    void notifyChanges(MoonrakerMethods methods) {
        Map<String, Object> wanted = subscription;
        if (wanted == null || simulator.has("silent") || simulator.has(PrinterSimulator.CHANGES_NOT_SENT)) {
            return;
        }
        Map<String, Object> before = lastStatus;
        Map<String, Object> now = methods.selectFields(wanted);
        Map<String, Object> delta = difference(before, now);
        lastStatus = now;
        if (delta.isEmpty()) {
            return;
        }
        notifyStatus(delta);
        if (simulator.has("stutter")) {
            notifyStatus(difference(now, before));
            notifyStatus(delta);
        }
    }

    /** Returns the fields of {@code now} that have changed. */
    private static Map<String, Object> difference(Map<String, Object> before, Map<String, Object> now) {
        Map<String, Object> difference = new LinkedHashMap<>();
        now.forEach((name, fields) -> {
            Map<String, Object> changed = new LinkedHashMap<>(Tree.object(fields));
            changed.entrySet().removeAll(Tree.object(before, name).entrySet());
            if (!changed.isEmpty()) {
                difference.put(name, changed);
            }
        });
        return difference;
    }

    private void notifyStatus(Map<String, Object> delta) {
        send(Json.write(Map.of(
                "jsonrpc",
                "2.0",
                "method",
                "notify_status_update",
                "params",
                List.of(delta, System.nanoTime() / 1e9))));
    }

    void send(String text) {
        WebSocketConnection open = socket;
        if (open == null || simulator.has("silent")) {
            return;
        }
        open.send(text);
        if (simulator.has("stutter")) {
            open.send(text);
        }
    }

    void unsubscribe() {
        subscription = null;
    }

    void disconnect() {
        WebSocketConnection open = socket;
        if (open != null) {
            open.disconnect();
        }
    }
}
