package farm.gantry.simulator;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.http.FullHttpRequest;
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
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** A simulated printer's broker, its file server, and the clock that makes its time pass; fate comes in without TLS. */
@SuppressWarnings("FutureReturnValueIgnored") // What cannot be closed is closed.
final class MqttBroker implements AutoCloseable {
    private static final int LARGEST_MESSAGE = 1 << 20;
    private static final int TRIES = 50;
    private static final int TLS = 0x16;
    private static final int CONNECT = 0x10;

    private final House house;
    private final Set<MqttConnection> clients = ConcurrentHashMap.newKeySet();
    private final Channel channel;
    private final AutoCloseable files;
    private final ScheduledFuture<?> clock;

    private MqttBroker(House house, int number, Files files) throws IOException {
        this.house = house;
        this.channel = EventLoops.open(number, pipeline -> pipeline.addLast(new Sorter()));
        try {
            this.files = files.open(number() + 1);
        } catch (IOException e) {
            channel.close().syncUninterruptibly();
            throw e;
        }
        this.clock = EventLoops.clock(() -> house.pass(this));
    }

    /** What is at home behind a broker. */
    interface House extends FaultInjection.Simulated {
        /** Called again and again. */
        void pass(MqttBroker port);

        boolean isReachable();

        boolean admits(String user, String password);

        /** Null where the broker speaks in the clear. */
        @Nullable
        DeviceCertificate identity();

        /** The client is gone. */
        default void left(MqttConnection client) {}

        /** {@code careless}: whoever says it does not care whether it is heard. */
        void take(MqttConnection from, String topic, Map<String, Object> message, boolean careless);
    }

    /** The file server, and what else there is, from the port after the broker's on. */
    interface Files {
        AutoCloseable open(int port) throws IOException;
    }

    /** A number of 0 is any free one with a free one after it. */
    static MqttBroker open(House house, int number, Files files) {
        for (int tried = 1; ; tried++) {
            try {
                return new MqttBroker(house, number, files);
            } catch (IOException e) {
                if (number != 0 || tried == TRIES) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    int number() {
        return EventLoops.number(channel);
    }

    void tell(String topic, Map<String, Object> message) {
        clients.forEach(client -> client.tell(topic, message));
    }

    void hangUp() {
        clients.forEach(MqttConnection::hangUp);
    }

    void joined(MqttConnection client) {
        clients.add(client);
    }

    void left(MqttConnection client) {
        clients.remove(client);
        house.left(client);
    }

    /** Tells by its first byte who comes in. */
    private final class Sorter extends ByteToMessageDecoder {

        @Override
        protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) throws SSLException {
            ChannelPipeline pipeline = context.pipeline();
            DeviceCertificate identity = house.identity();
            if (in.getUnsignedByte(in.readerIndex()) == (identity == null ? CONNECT : TLS)) {
                if (!house.isReachable()) {
                    context.close();
                    return;
                }
                if (identity != null) {
                    pipeline.addLast(identity.forBroker().newHandler(context.alloc()));
                }
                pipeline.addLast(
                        new MqttDecoder(LARGEST_MESSAGE),
                        MqttEncoder.INSTANCE,
                        new MqttConnection(MqttBroker.this, house, context.channel()));
            } else {
                pipeline.addLast(new HttpServerCodec(), new HttpObjectAggregator(LARGEST_MESSAGE), new Visitor());
            }
            pipeline.remove(this);
        }
    }

    private final class Visitor extends SimpleChannelInboundHandler<FullHttpRequest> {

        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) throws IOException {
            try {
                MoonrakerRoutes.answer(context.channel(), 200, new FaultInjection(house).answer(request));
            } catch (RpcException e) {
                MoonrakerRoutes.answer(context.channel(), e.code(), Map.of("message", String.valueOf(e.getMessage())));
            }
        }
    }

    @Override
    public void close() {
        hangUp();
        clock.cancel(false);
        channel.close().syncUninterruptibly();
        try {
            files.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
