package farm.gantry.simulator.network;

import farm.gantry.json.Json;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;

/** HTTP responses of simulated printers. */
@SuppressWarnings("FutureReturnValueIgnored") // What cannot be written closes the channel.
public final class HttpResponses {
    private HttpResponses() {}

    public static void json(Channel channel, int status, Object body) {
        text(channel, HttpResponseStatus.valueOf(status), "application/json", Json.write(body));
    }

    public static void xml(Channel channel, String body) {
        text(channel, HttpResponseStatus.OK, "application/xml", body);
    }

    private static void text(Channel channel, HttpResponseStatus status, String type, String body) {
        FullHttpResponse response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, status, Unpooled.copiedBuffer(body, StandardCharsets.UTF_8));
        response.headers().set("Content-Type", type);
        send(channel, response);
    }

    /** Sends the head of a response whose body never follows. */
    static void startWithoutEnd(Channel channel) {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        response.headers().set("Content-Type", "application/json").set("Content-Length", 1_000);
        channel.writeAndFlush(response);
    }

    public static void empty(Channel channel, HttpResponseStatus status) {
        send(channel, new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, Unpooled.EMPTY_BUFFER));
    }

    public static void send(Channel channel, FullHttpResponse response) {
        response.headers().set("Content-Length", response.content().readableBytes());
        channel.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
    }
}
