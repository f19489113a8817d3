package farm.gantry.simulator.network;

import farm.gantry.simulator.network.RestServer.Routes;
import farm.gantry.simulator.printer.RpcException;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.FullHttpRequest;
import java.io.IOException;
import java.util.Map;

/** One connection to a simulated printer with a REST API. */
@SuppressWarnings("FutureReturnValueIgnored") // What cannot be closed is closed.
final class RestConnection extends SimpleChannelInboundHandler<FullHttpRequest> {
    private final RestServer port;
    private final Routes routes;

    RestConnection(RestServer port, Routes routes) {
        this.port = port;
        this.routes = routes;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) throws IOException {
        if (port.rejects() || !port.accepts(context.channel())) {
            context.close();
            return;
        }
        WebSocketConnection.Handler client = WebSocketConnection.isUpgrade(request) ? routes.webSocketClient() : null;
        if (client != null) {
            context.pipeline().addLast(new WebSocketConnection(client));
            context.fireChannelRead(request.retain());
            return;
        }
        try {
            if (port.isStalling()) {
                HttpResponses.startWithoutEnd(context.channel());
            } else if (!port.isSilent()) {
                answer(context, request);
            }
        } catch (RpcException e) {
            HttpResponses.json(
                    context.channel(), e.code(), Map.of(routes.errorField(), String.valueOf(e.getMessage())));
        }
    }

    private void answer(ChannelHandlerContext context, FullHttpRequest request) throws IOException, RpcException {
        switch (port.nextFault()) {
            case RestServer.FALLS_UNHEARD -> context.close();
            case RestServer.FALLS_UNANSWERED -> executeAndClose(context, request);
            default -> routes.answer(request, context.channel());
        }
    }

    /** Executes the request and closes the connection without a response. */
    private void executeAndClose(ChannelHandlerContext context, FullHttpRequest request)
            throws IOException, RpcException {
        try {
            routes.answer(request, new EmbeddedChannel());
        } finally {
            context.close();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        port.onDisconnect(context.channel());
        context.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
