package farm.gantry.simulator;

import farm.gantry.simulator.RestPort.Rest;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.FullHttpRequest;
import java.io.IOException;
import java.util.Map;

/** One connection to a simulated printer that is only asked; those of fate take none of its slots. */
@SuppressWarnings("FutureReturnValueIgnored") // What cannot be closed is closed.
final class RestClient extends SimpleChannelInboundHandler<FullHttpRequest> {
    private final RestPort port;
    private final Rest rest;

    RestClient(RestPort port, Rest rest) {
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
                HttpAnswer.answer(context.channel(), 200, new Fate(rest).answer(request));
            } else if (port.stalls()) {
                HttpAnswer.begin(context.channel());
            } else if (!port.isSilent()) {
                answer(context, request);
            }
        } catch (RpcFault e) {
            HttpAnswer.answer(context.channel(), e.code(), Map.of(rest.faultField(), String.valueOf(e.getMessage())));
        }
    }

    private void answer(ChannelHandlerContext context, FullHttpRequest request) throws IOException, RpcFault {
        switch (port.next()) {
            case RestPort.FALLS_UNHEARD -> context.close();
            case RestPort.FALLS_UNANSWERED -> obey(context, request);
            default -> rest.answer(request, context.channel());
        }
    }

    /** It does what it was told before its line breaks: whoever sees the line broken can ask what it did. */
    private void obey(ChannelHandlerContext context, FullHttpRequest request) throws IOException, RpcFault {
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
