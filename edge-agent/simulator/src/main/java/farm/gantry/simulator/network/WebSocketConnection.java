package farm.gantry.simulator.network;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketServerHandshaker;
import io.netty.handler.codec.http.websocketx.WebSocketServerHandshakerFactory;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** One connection to a simulated printer: HTTP requests, or a WebSocket with text messages. */
@SuppressWarnings("FutureReturnValueIgnored") // What cannot be written closes the channel.
public final class WebSocketConnection extends SimpleChannelInboundHandler<Object> {
    private static final int MAX_FRAME = 1 << 20;

    private final Handler handler;
    private volatile @Nullable Channel webSocket;

    public WebSocketConnection(Handler handler) {
        this.handler = handler;
    }

    /** The printer's end of one connection. */
    public interface Handler {
        /** Returns whether the client may open a WebSocket. */
        boolean accepts(FullHttpRequest request);

        void answer(FullHttpRequest request, Channel channel) throws IOException;

        void onConnect(WebSocketConnection client);

        void onMessage(WebSocketConnection client, String text) throws IOException;

        void onDisconnect();
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, Object message) throws IOException {
        switch (message) {
            case FullHttpRequest request when isUpgrade(request) -> upgrade(context, request);
            case FullHttpRequest request -> handler.answer(request, context.channel());
            case TextWebSocketFrame frame -> handler.onMessage(this, frame.text());
            case PingWebSocketFrame ping ->
                context.writeAndFlush(new PongWebSocketFrame(ping.content().retain()));
            case CloseWebSocketFrame _ -> context.close();
            default -> {}
        }
    }

    /** Returns whether the client wants to open a WebSocket. */
    static boolean isUpgrade(FullHttpRequest request) {
        return request.headers().containsValue(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET, true);
    }

    private void upgrade(ChannelHandlerContext context, FullHttpRequest request) {
        WebSocketServerHandshaker handshaker = handler.accepts(request)
                ? new WebSocketServerHandshakerFactory("ws://simulator/websocket", null, true, MAX_FRAME)
                        .newHandshaker(request)
                : null;
        if (handshaker == null) {
            context.close();
            return;
        }
        webSocket = context.channel();
        handshaker.handshake(context.channel(), request).addListener(_ -> handler.onConnect(this));
    }

    public void send(String text) {
        Channel channel = webSocket;
        if (channel != null) {
            channel.writeAndFlush(new TextWebSocketFrame(text));
        }
    }

    public void disconnect() {
        Channel channel = webSocket;
        if (channel != null) {
            channel.close();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        handler.onDisconnect();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
