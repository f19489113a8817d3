package farm.gantry.edge.simulator;

import farm.gantry.edge.json.Json;
import farm.gantry.edge.json.Tree;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketServerHandshaker;
import io.netty.handler.codec.http.websocketx.WebSocketServerHandshakerFactory;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One connection to a simulated Moonraker: HTTP requests, or a WebSocket with its subscription. */
@SuppressWarnings("FutureReturnValueIgnored") // What cannot be written closes the channel.
final class Client extends SimpleChannelInboundHandler<Object> {
    private static final int LARGEST_FRAME = 1 << 20;

    private final Simulator simulator;
    private volatile @Nullable Channel webSocket;
    private volatile @Nullable Map<String, Object> subscription;
    private volatile Map<String, Object> told = Map.of();

    Client(Simulator simulator) {
        this.simulator = simulator;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, Object message) throws IOException {
        switch (message) {
            case FullHttpRequest request when request.uri().startsWith("/websocket") -> upgrade(context, request);
            case FullHttpRequest request -> new HttpAnswer(simulator, request).to(context.channel());
            case TextWebSocketFrame frame -> send(answer(Json.tree(frame.text())));
            case PingWebSocketFrame ping ->
                context.writeAndFlush(new PongWebSocketFrame(ping.content().retain()));
            case CloseWebSocketFrame _ -> context.close();
            default -> {}
        }
    }

    private void upgrade(ChannelHandlerContext context, FullHttpRequest request) {
        List<String> tokens = new QueryStringDecoder(request.uri()).parameters().getOrDefault("token", List.of(""));
        if (simulator.isOffline() || !simulator.admits(request.headers().get("X-Api-Key"), tokens.getFirst())) {
            context.close();
            return;
        }
        WebSocketServerHandshaker handshaker = new WebSocketServerHandshakerFactory(
                        "ws://simulator/websocket", null, true, LARGEST_FRAME)
                .newHandshaker(request);
        if (handshaker == null) {
            context.close();
            return;
        }
        webSocket = context.channel();
        handshaker.handshake(context.channel(), request).addListener(_ -> simulator.joined(this));
    }

    private String answer(Map<String, Object> request) {
        String method = Objects.requireNonNullElse(Tree.text(request, "method"), "");
        Map<String, Object> params = Tree.object(request, "params");
        Map<String, @Nullable Object> answer = new LinkedHashMap<>();
        answer.put("jsonrpc", "2.0");
        try {
            Object result = simulator.methods().call(method, params);
            answer.put("result", result);
            if (method.equals("printer.objects.subscribe")) {
                told = Tree.object(result, "status");
                subscription = Tree.object(params, "objects");
            }
        } catch (RpcFault e) {
            answer.put("error", Map.of("code", e.code(), "message", String.valueOf(e.getMessage())));
        }
        answer.put("id", request.get("id"));
        return Json.write(answer);
    }

    /** What changed since it was last told, field by field. */
    void update(Methods methods) {
        Map<String, Object> wanted = subscription;
        if (wanted == null) {
            return;
        }
        Map<String, Object> now = methods.chosen(wanted);
        Map<String, Object> delta = new LinkedHashMap<>();
        now.forEach((name, fields) -> {
            Map<String, Object> changed = new LinkedHashMap<>(Tree.object(fields));
            changed.entrySet().removeAll(Tree.object(told, name).entrySet());
            if (!changed.isEmpty()) {
                delta.put(name, changed);
            }
        });
        told = now;
        if (!delta.isEmpty()) {
            send(Json.write(Map.of(
                    "jsonrpc",
                    "2.0",
                    "method",
                    "notify_status_update",
                    "params",
                    List.of(delta, System.nanoTime() / 1e9))));
        }
    }

    void send(String text) {
        Channel channel = webSocket;
        if (channel != null) {
            channel.writeAndFlush(new TextWebSocketFrame(text));
        }
    }

    void unsubscribe() {
        subscription = null;
    }

    void hangUp() {
        Channel channel = webSocket;
        if (channel != null) {
            channel.close();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        simulator.left(this);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
