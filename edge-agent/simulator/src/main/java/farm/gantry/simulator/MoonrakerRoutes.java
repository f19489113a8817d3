package farm.gantry.simulator;

import farm.gantry.json.Json;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** One HTTP request to a simulated Moonraker. */
@SuppressWarnings("FutureReturnValueIgnored") // What cannot be written closes the channel.
record MoonrakerRoutes(MoonrakerSimulator simulator, FullHttpRequest request) {
    static final String WEBCAM = "/webcam/";

    private static final String UPLOAD = "/server/files/upload";

    void to(Channel channel) throws IOException {
        String path = new QueryStringDecoder(request.uri()).path();
        boolean fate = path.startsWith("/sim/");
        if (simulator.isOffline() && !fate) {
            channel.close();
            return;
        }
        if (simulator.isSilent() && !fate) {
            return;
        }
        if (path.equals(WEBCAM)) {
            SimulatedCamera.jpeg.show(channel);
            return;
        }
        try {
            int status = path.equals(UPLOAD) ? 201 : 200;
            answer(channel, status, fate ? new FaultInjection(simulator).answer(request) : moonraker(path));
        } catch (RpcException e) {
            int status = e.code() < 0 ? 404 : e.code();
            answer(channel, status, Map.of("error", Map.of("code", status, "message", String.valueOf(e.getMessage()))));
        }
    }

    private Object moonraker(String path) throws IOException, RpcException {
        if (!simulator.admits(request.headers().get("X-Api-Key"), null)) {
            throw new RpcException(401, "Unauthorized");
        }
        if (path.equals(UPLOAD)) {
            return upload();
        }
        Map<String, Object> params = new HashMap<>();
        new QueryStringDecoder(request.uri())
                .parameters()
                .forEach((name, values) -> params.put(name, values.getFirst()));
        return Map.of("result", simulator.methods().call(path.substring(1).replace('/', '.'), params));
    }

    private Object upload() throws IOException, RpcException {
        UploadForm form = UploadForm.of(request);
        String checksum = form.fields().get("checksum");
        if (checksum != null && !checksum.equals(UploadForm.hash("SHA-256", form.content()))) {
            throw new RpcException(422, "File checksum mismatch");
        }
        GcodeFile file = form.file();
        simulator.printer().upload(file);
        boolean print = form.asks("print");
        if (print) {
            simulator.printer().start(file.name());
        }
        Map<String, Object> item = Map.of("path", file.name(), "root", "gcodes", "size", file.size());
        return Map.of("item", item, "print_started", print, "print_queued", false, "action", "create_file");
    }

    static void answer(Channel channel, int status, Object body) {
        FullHttpResponse response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1,
                HttpResponseStatus.valueOf(status),
                Unpooled.copiedBuffer(Json.write(body), StandardCharsets.UTF_8));
        response.headers().set("Content-Type", "application/json");
        send(channel, response);
    }

    /** The head of an answer, after which nothing comes. */
    static void begin(Channel channel) {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        response.headers().set("Content-Type", "application/json").set("Content-Length", 1_000);
        channel.writeAndFlush(response);
    }

    static void send(Channel channel, FullHttpResponse response) {
        response.headers().set("Content-Length", response.content().readableBytes());
        channel.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
    }
}
