package farm.gantry.simulator;

import farm.gantry.json.Json;
import farm.gantry.json.Tree;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The same for every make: what {@code /sim/…} tells whoever plays fate, and does for him. */
record FaultInjection(Simulated simulated) {

    /** What can be cut, silenced and broken. */
    interface Simulated {
        Map<String, Object> log();

        void fail(String kind) throws RpcException;

        void recover();
    }

    Map<String, Object> answer(FullHttpRequest request) throws IOException, RpcException {
        String path = new QueryStringDecoder(request.uri()).path();
        switch (path) {
            case "/sim/log" -> {
                return simulated.log();
            }
            case "/sim/fail" -> {
                String kind = Tree.text(Json.tree(request.content().toString(StandardCharsets.UTF_8)), "kind");
                simulated.fail(kind == null ? "" : kind);
            }
            case "/sim/recover" -> simulated.recover();
            default -> throw new RpcException(404, "Not Found");
        }
        return Map.of("done", path);
    }
}
