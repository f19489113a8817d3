package farm.gantry.edge.simulator;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.concurrent.ScheduledFuture;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The film of a simulated printer's camera, which is shown to one at a time, from when it asks until it lets go. */
@SuppressWarnings("FutureReturnValueIgnored") // What cannot be written closes the channel.
final class SdcpFilm {
    private static final int SHOWN_TO_OTHERS = 1;
    private static final int BETWEEN_PICTURES = 100;

    private final Set<Channel> viewers = ConcurrentHashMap.newKeySet();
    private volatile boolean shown;

    Map<String, Object> order(boolean on, int port) {
        if (!on) {
            shown = false;
            viewers.forEach(Channel::close);
            return Map.of("Ack", 0);
        }
        if (shown) {
            return Map.of("Ack", SHOWN_TO_OTHERS);
        }
        shown = true;
        return Map.of("Ack", 0, "VideoUrl", "127.0.0.1:" + port + "/video");
    }

    boolean isShown() {
        return shown;
    }

    void show(Channel channel) {
        HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        head.headers().set("Content-Type", "multipart/x-mixed-replace; boundary=frame");
        viewers.add(channel);
        channel.write(head);
        ScheduledFuture<?> pictures = channel.eventLoop()
                .scheduleAtFixedRate(
                        () -> channel.writeAndFlush(new DefaultHttpContent(picture())),
                        0,
                        BETWEEN_PICTURES,
                        TimeUnit.MILLISECONDS);
        channel.closeFuture().addListener(_ -> {
            pictures.cancel(false);
            viewers.remove(channel);
        });
    }

    private static ByteBuf picture() {
        byte[] jpeg = SimulatedCamera.jpeg.picture();
        String head = "--frame\r\nContent-Type: image/jpeg\r\nContent-Length: " + jpeg.length + "\r\n\r\n";
        return Unpooled.wrappedBuffer(
                head.getBytes(StandardCharsets.US_ASCII), jpeg, "\r\n".getBytes(StandardCharsets.US_ASCII));
    }
}
