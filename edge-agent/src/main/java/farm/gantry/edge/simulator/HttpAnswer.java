package farm.gantry.edge.simulator;

import farm.gantry.edge.json.Json;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.codec.http.multipart.Attribute;
import io.netty.handler.codec.http.multipart.FileUpload;
import io.netty.handler.codec.http.multipart.HttpPostRequestDecoder;
import io.netty.handler.codec.http.multipart.InterfaceHttpData;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;

/** One HTTP request to a simulated Moonraker. */
@SuppressWarnings("FutureReturnValueIgnored") // What cannot be written closes the channel.
record HttpAnswer(Simulator simulator, FullHttpRequest request) {
    private static final String UPLOAD = "/server/files/upload";

    void to(Channel channel) throws IOException {
        String path = new QueryStringDecoder(request.uri()).path();
        if (simulator.isOffline() && !path.startsWith("/sim/")) {
            channel.close();
            return;
        }
        try {
            int status = path.equals(UPLOAD) ? 201 : 200;
            answer(channel, status, path.startsWith("/sim/") ? new Fate(simulator).answer(request) : moonraker(path));
        } catch (RpcFault e) {
            int status = e.code() < 0 ? 404 : e.code();
            answer(channel, status, Map.of("error", Map.of("code", status, "message", String.valueOf(e.getMessage()))));
        }
    }

    private Object moonraker(String path) throws IOException, RpcFault {
        if (!simulator.admits(request.headers().get("X-Api-Key"), null)) {
            throw new RpcFault(401, "Unauthorized");
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

    private Object upload() throws IOException, RpcFault {
        Map<String, String> fields = new HashMap<>();
        Map<String, byte[]> files = new HashMap<>();
        HttpPostRequestDecoder decoder = new HttpPostRequestDecoder(request);
        try {
            for (InterfaceHttpData data : decoder.getBodyHttpDatas()) {
                switch (data) {
                    case Attribute attribute -> fields.put(attribute.getName(), attribute.getValue());
                    case FileUpload file -> files.put(file.getFilename(), file.get());
                    default -> {}
                }
            }
        } finally {
            decoder.destroy();
        }
        Map.Entry<String, byte[]> file =
                files.entrySet().stream().findFirst().orElseThrow(() -> RpcFault.refused("No file in upload"));
        String checksum = fields.get("checksum");
        if (checksum != null && !checksum.equals(sha256(file.getValue()))) {
            throw new RpcFault(422, "File checksum mismatch");
        }
        simulator.printer().upload(GcodeFile.of(file.getKey(), file.getValue()));
        boolean print = "true".equals(fields.get("print"));
        if (print) {
            simulator.printer().start(file.getKey());
        }
        Map<String, Object> item = Map.of("path", file.getKey(), "root", "gcodes", "size", file.getValue().length);
        return Map.of("item", item, "print_started", print, "print_queued", false, "action", "create_file");
    }

    private static String sha256(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    static void answer(Channel channel, int status, Object body) {
        FullHttpResponse response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1,
                HttpResponseStatus.valueOf(status),
                Unpooled.copiedBuffer(Json.write(body), StandardCharsets.UTF_8));
        response.headers().set("Content-Type", "application/json");
        send(channel, response);
    }

    static void send(Channel channel, FullHttpResponse response) {
        response.headers().set("Content-Length", response.content().readableBytes());
        channel.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
    }
}
