package farm.gantry.simulator.camera;

import farm.gantry.simulator.network.HttpResponses;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/** The image that the camera of every simulated printer sends: a cube on a bed. */
public enum SimulatedCamera {
    JPEG("image/jpeg", "bed.jpg"),
    PNG("image/png", "bed.png"),
    FLV("video/x-flv", "bed.flv"),
    H264("video/h264", "bed.h264");

    public static final String PATH = "/webcam/";

    public final String type;
    private final String name;

    SimulatedCamera(String type, String name) {
        this.type = type;
        this.name = name;
    }

    public byte[] bytes() {
        try (InputStream picture = SimulatedCamera.class.getResourceAsStream(name)) {
            return Objects.requireNonNull(picture, name).readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public void sendImage(Channel channel) {
        FullHttpResponse response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, HttpResponseStatus.OK, Unpooled.wrappedBuffer(bytes()));
        response.headers().set("Content-Type", type);
        HttpResponses.send(channel, response);
    }
}
