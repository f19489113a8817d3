package farm.gantry.edge.simulator;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.FullHttpRequest;
import java.io.IOException;
import java.util.Map;

/** One connection to a simulated PrusaLink; those of fate take none of its slots. */
@SuppressWarnings("FutureReturnValueIgnored") // What cannot be closed is closed.
final class PrusaLinkClient extends SimpleChannelInboundHandler<FullHttpRequest> {
    private final PrusaLinkSimulator simulator;

    PrusaLinkClient(PrusaLinkSimulator simulator) {
        this.simulator = simulator;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) throws IOException {
        boolean fate = request.uri().startsWith("/sim/");
        if (!fate && (simulator.isSilent() || !simulator.admits(context.channel()))) {
            context.close();
            return;
        }
        try {
            if (fate) {
                HttpAnswer.answer(context.channel(), 200, new Fate(simulator).answer(request));
            } else {
                new PrusaLinkAnswer(simulator, request).to(context.channel());
            }
        } catch (RpcFault e) {
            HttpAnswer.answer(context.channel(), e.code(), Map.of("message", String.valueOf(e.getMessage())));
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        simulator.left(context.channel());
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
