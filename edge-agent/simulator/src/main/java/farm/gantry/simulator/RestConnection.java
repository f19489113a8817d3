package farm.gantry.simulator;

import farm.gantry.simulator.RestServer.Rest;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.FullHttpRequest;
import java.io.IOException;
import java.util.Map;

/** One connection to a simulated printer that is only asked; those of fate take none of its slots. */
@SuppressWarnings("FutureReturnValueIgnored") // What cannot be closed is closed.
final class RestConnection extends SimpleChannelInboundHandler<FullHttpRequest> {
    private final RestServer port;
    private final Rest rest;

    RestConnection(RestServer port, Rest rest) {
        this.port = port;
        this.rest = rest;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) throws IOException {
        boolean fate = request.uri().startsWith("/sim/");
        if (!fate && (port.turnsAway() || !port.admits(context.channel()))) {
            context.close();
            return;
        }
        try {
            if (fate) {
                MoonrakerRoutes.answer(context.channel(), 200, new FaultInjection(rest).answer(request));
            } else if (port.stalls()) {
                MoonrakerRoutes.begin(context.channel());
            } else if (!port.isSilent()) {
                answer(context, request);
            }
        } catch (RpcException e) {
            MoonrakerRoutes.answer(
                    context.channel(), e.code(), Map.of(rest.faultField(), String.valueOf(e.getMessage())));
        }
    }

    private void answer(ChannelHandlerContext context, FullHttpRequest request) throws IOException, RpcException {
        switch (port.next()) {
            case RestServer.FALLS_UNHEARD -> context.close();
            case RestServer.FALLS_UNANSWERED -> obey(context, request);
            default -> rest.answer(request, context.channel());
        }
    }

    /** It does what it was told before its line breaks: whoever sees the line broken can ask what it did. */
    private void obey(ChannelHandlerContext context, FullHttpRequest request) throws IOException, RpcException {
        try {
            rest.answer(request, new EmbeddedChannel());
        } finally {
            context.close();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        port.left(context.channel());
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
