package farm.gantry.simulator.network;

import farm.gantry.json.Json;
import farm.gantry.json.Tree;
import farm.gantry.simulator.printer.RpcException;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Serves {@code /sim/…} at every simulated printer: its log, and faults to inject. Other requests pass through. */
final class FaultInjection extends SimpleChannelInboundHandler<FullHttpRequest> {
    private final FaultTarget target;

    FaultInjection(FaultTarget target) {
        this.target = target;
    }

    /** A simulated printer into which faults can be injected. */
    interface FaultTarget {
        Map<String, Object> log();

        void fail(String kind) throws RpcException;

        void recover();
    }

    @Override
    public boolean acceptInboundMessage(Object message) {
        return message instanceof FullHttpRequest request && request.uri().startsWith("/sim/");
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) throws IOException {
        try {
            HttpResponses.json(context.channel(), 200, response(request));
        } catch (RpcException e) {
            HttpResponses.json(context.channel(), e.code(), Map.of("message", String.valueOf(e.getMessage())));
        }
    }

    private Map<String, Object> response(FullHttpRequest request) throws IOException, RpcException {
        String path = new QueryStringDecoder(request.uri()).path();
        switch (path) {
            case "/sim/log" -> {
                return target.log();
            }
            case "/sim/fail" -> {
                String kind = Tree.text(Json.tree(request.content().toString(StandardCharsets.UTF_8)), "kind");
                target.fail(kind == null ? "" : kind);
            }
            case "/sim/recover" -> target.recover();
            default -> throw new RpcException(404, "Not Found");
        }
        return Map.of("done", path);
    }
}
