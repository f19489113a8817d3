package farm.gantry.simulator.network;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.mqtt.MqttDecoder;
import io.netty.handler.codec.mqtt.MqttEncoder;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The MQTT broker of a simulated printer, its file server, and the timer that advances it. The same port serves {@link
 * FaultInjection} over plain HTTP.
 */
@SuppressWarnings("FutureReturnValueIgnored") // What cannot be closed is closed.
public final class SimulatedBroker implements AutoCloseable {
    private static final int MAX_MESSAGE = 1 << 20;
    private static final int TRIES = 50;
    private static final int TLS = 0x16;
    private static final int CONNECT = 0x10;

    private final Device device;
    private final Set<BrokerConnection> clients = ConcurrentHashMap.newKeySet();
    private final Channel channel;
    private final AutoCloseable files;
    private final ScheduledFuture<?> clock;

    private SimulatedBroker(Device device, int number, ExtraListeners files) throws IOException {
        this.device = device;
        this.channel = EventLoops.open(number, pipeline -> pipeline.addLast(new ProtocolDetector()));
        try {
            this.files = files.open(port() + 1);
        } catch (IOException e) {
            channel.close().syncUninterruptibly();
            throw e;
        }
        this.clock = EventLoops.schedule(() -> device.tick(this));
    }

    /** The printer behind the broker. */
    public interface Device extends FaultInjection.FaultTarget {
        /** Called four times a second. */
        void tick(SimulatedBroker broker);

        boolean isReachable();

        boolean accepts(String user, String password);

        /** Returns null for a broker without TLS. */
        @Nullable
        DeviceCertificate certificate();

        /** Called when the client has disconnected. */
        default void onDisconnect(BrokerConnection client) {}

        /** Called for each message; {@code fireAndForget} is whether it has QoS 0. */
        void onMessage(BrokerConnection from, String topic, Map<String, Object> message, boolean fireAndForget);
    }

    /** Opens the printer's other listeners, such as its file server, from the port after the broker's. */
    public interface ExtraListeners {
        public AutoCloseable open(int port) throws IOException;
    }

    /** Port 0 chooses a free port with a free one after it. */
    public static SimulatedBroker open(Device device, int number, ExtraListeners files) {
        for (int tried = 1; ; tried++) {
            try {
                return new SimulatedBroker(device, number, files);
            } catch (IOException e) {
                if (number != 0 || tried == TRIES) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    public int port() {
        return EventLoops.number(channel);
    }

    public void publish(String topic, Map<String, Object> message) {
        clients.forEach(client -> client.publish(topic, message));
    }

    public void disconnectAll() {
        clients.forEach(BrokerConnection::disconnect);
    }

    public void onConnect(BrokerConnection client) {
        clients.add(client);
    }

    public void onDisconnect(BrokerConnection client) {
        clients.remove(client);
        device.onDisconnect(client);
    }

    /** Chooses MQTT or HTTP by the first byte of a connection. */
    private final class ProtocolDetector extends ByteToMessageDecoder {

        @Override
        protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
            ChannelPipeline pipeline = context.pipeline();
            DeviceCertificate certificate = device.certificate();
            if (in.getUnsignedByte(in.readerIndex()) == (certificate == null ? CONNECT : TLS)) {
                if (!device.isReachable()) {
                    context.close();
                    return;
                }
                if (certificate != null) {
                    pipeline.addLast(certificate.nettyContext().newHandler(context.alloc()));
                }
                pipeline.addLast(
                        new MqttDecoder(MAX_MESSAGE),
                        MqttEncoder.INSTANCE,
                        new BrokerConnection(SimulatedBroker.this, device, context.channel()));
            } else {
                pipeline.addLast(
                        new HttpServerCodec(), new HttpObjectAggregator(MAX_MESSAGE), new FaultInjection(device));
            }
            pipeline.remove(this);
        }
    }

    @Override
    public void close() {
        disconnectAll();
        clock.cancel(false);
        channel.close().syncUninterruptibly();
        try {
            files.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
