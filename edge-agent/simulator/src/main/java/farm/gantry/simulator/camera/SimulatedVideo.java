package farm.gantry.simulator.camera;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.concurrent.ScheduledFuture;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/** The video of a simulated printer's camera, which runs from a client's request until it is stopped. */
@SuppressWarnings("FutureReturnValueIgnored") // What cannot be written closes the channel.
public final class SimulatedVideo {
    private static final int BETWEEN_PIECES = 100;

    private static final int PIECE = 400;

    private final String type;
    private final IntFunction<byte[]> pieces;
    private final Set<Channel> viewers = ConcurrentHashMap.newKeySet();
    private volatile boolean shown;

    private SimulatedVideo(String type, IntFunction<byte[]> pieces) {
        this.type = type;
        this.pieces = pieces;
    }

    /** Returns Motion JPEG. */
    public static SimulatedVideo mjpeg() {
        byte[] jpeg = SimulatedCamera.JPEG.bytes();
        String head = "--frame\r\nContent-Type: image/jpeg\r\nContent-Length: " + jpeg.length + "\r\n\r\n";
        ByteBuf part = Unpooled.wrappedBuffer(
                head.getBytes(StandardCharsets.US_ASCII), jpeg, "\r\n".getBytes(StandardCharsets.US_ASCII));
        byte[] picture = ByteBufUtil.getBytes(part);
        return new SimulatedVideo("multipart/x-mixed-replace; boundary=frame", _ -> picture);
    }

    /** Returns H.264 in FLV, in small pieces. */
    public static SimulatedVideo flv() {
        byte[] clip = SimulatedCamera.FLV.bytes();
        return new SimulatedVideo(
                SimulatedCamera.FLV.type,
                piece -> Arrays.copyOfRange(
                        clip, Math.min(clip.length, piece * PIECE), Math.min(clip.length, (piece + 1) * PIECE)));
    }

    /** Starts the video; returns false if it is running already. */
    public boolean start() {
        boolean free = !shown;
        shown = true;
        return free;
    }

    public void stop() {
        shown = false;
        viewers.forEach(Channel::close);
    }

    public boolean isRunning() {
        return shown;
    }

    public void sendVideo(Channel channel) {
        HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        head.headers().set("Content-Type", type);
        viewers.add(channel);
        channel.write(head);
        AtomicInteger shownPieces = new AtomicInteger();
        ScheduledFuture<?> reel = channel.eventLoop()
                .scheduleAtFixedRate(
                        () -> channel.writeAndFlush(new DefaultHttpContent(
                                Unpooled.wrappedBuffer(pieces.apply(shownPieces.getAndIncrement())))),
                        0,
                        BETWEEN_PIECES,
                        TimeUnit.MILLISECONDS);
        channel.closeFuture().addListener(_ -> {
            reel.cancel(false);
            viewers.remove(channel);
        });
    }
}
