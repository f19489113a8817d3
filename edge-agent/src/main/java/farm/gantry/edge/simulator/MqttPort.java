package farm.gantry.edge.simulator;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.mqtt.MqttDecoder;
import io.netty.handler.codec.mqtt.MqttEncoder;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;

/** A simulated printer's broker, its file server, and the clock that makes its time pass; fate comes in without TLS. */
@SuppressWarnings("FutureReturnValueIgnored") // What cannot be closed is closed.
final class BambuPort implements AutoCloseable {
    private static final MultiThreadIoEventLoopGroup LOOPS =
            new MultiThreadIoEventLoopGroup(2, Thread.ofPlatform().daemon().factory(), NioIoHandler.newFactory());
    private static final int BETWEEN_UPDATES = 250;
    private static final int LARGEST_MESSAGE = 1 << 20;
    private static final int TRIES = 50;
    private static final int TLS = 0x16;

    private final BambuSimulator simulator;
    private final Channel channel;
    private final BambuFiles files;
    private final ScheduledFuture<?> clock;

    private BambuPort(BambuSimulator simulator, int number) throws IOException {
        this.simulator = simulator;
        this.channel = new ServerBootstrap()
                .group(LOOPS)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel accepted) {
                        accepted.pipeline().addLast(new Sorter());
                    }
                })
                .bind("127.0.0.1", number)
                .syncUninterruptibly()
                .channel();
        try {
            this.files = new BambuFiles(simulator, number() + 1);
        } catch (IOException e) {
            channel.close().syncUninterruptibly();
            throw e;
        }
        this.clock = LOOPS.next()
                .scheduleAtFixedRate(simulator::pass, BETWEEN_UPDATES, BETWEEN_UPDATES, TimeUnit.MILLISECONDS);
    }

    /** A number of 0 is any free one with a free one after it. */
    static BambuPort open(BambuSimulator simulator, int number) {
        for (int tried = 1; ; tried++) {
            try {
                return new BambuPort(simulator, number);
            } catch (IOException e) {
                if (number != 0 || tried == TRIES) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    int number() {
        return ((InetSocketAddress) channel.localAddress()).getPort();
    }

    /** Tells by its first byte who comes in. */
    private final class Sorter extends ByteToMessageDecoder {

        @Override
        protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) throws SSLException {
            ChannelPipeline pipeline = context.pipeline();
            if (in.getUnsignedByte(in.readerIndex()) == TLS) {
                if (!simulator.isReachable()) {
                    context.close();
                    return;
                }
                pipeline.addLast(
                        simulator.identity().forBroker().newHandler(context.alloc()),
                        new MqttDecoder(LARGEST_MESSAGE),
                        MqttEncoder.INSTANCE,
                        new BambuClient(simulator));
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
                HttpAnswer.answer(context.channel(), 200, new Fate(simulator).answer(request));
            } catch (RpcFault e) {
                HttpAnswer.answer(context.channel(), e.code(), Map.of("message", String.valueOf(e.getMessage())));
            }
        }
    }

    @Override
    public void close() {
        clock.cancel(false);
        files.close();
        channel.close().syncUninterruptibly();
    }
}
