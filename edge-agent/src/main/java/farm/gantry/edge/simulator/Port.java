package farm.gantry.edge.simulator;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufHolder;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** A simulated printer's own port, and a clock that makes its time pass. */
@SuppressWarnings("FutureReturnValueIgnored") // What cannot be closed is closed.
final class Port implements AutoCloseable {
    private static final MultiThreadIoEventLoopGroup LOOPS =
            new MultiThreadIoEventLoopGroup(2, Thread.ofPlatform().daemon().factory(), NioIoHandler.newFactory());
    private static final int BETWEEN_UPDATES = 250;
    private static final int LARGEST_UPLOAD = 1 << 30;

    private final Channel channel;
    private final ScheduledFuture<?> clock;
    private volatile boolean cutting;

    /** A number of 0 is any free one. */
    Port(int number, Supplier<ChannelHandler> client, Runnable pass) {
        this.channel = new ServerBootstrap()
                .group(LOOPS)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel accepted) {
                        accepted.pipeline()
                                .addLast(
                                        new HttpServerCodec(),
                                        new Cut(),
                                        new HttpObjectAggregator(LARGEST_UPLOAD),
                                        client.get());
                    }
                })
                .bind("127.0.0.1", number)
                .syncUninterruptibly()
                .channel();
        this.clock = LOOPS.next().scheduleAtFixedRate(pass, BETWEEN_UPDATES, BETWEEN_UPDATES, TimeUnit.MILLISECONDS);
    }

    int number() {
        return ((InetSocketAddress) channel.localAddress()).getPort();
    }

    /** The line breaks in the middle of the next upload. */
    void cutUpload() {
        cutting = true;
    }

    private final class Cut extends ChannelInboundHandlerAdapter {

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (cutting && message instanceof HttpContent content && isBody(content)) {
                cutting = false;
                ReferenceCountUtil.release(message);
                context.close();
            } else {
                context.fireChannelRead(message);
            }
        }

        private static boolean isBody(ByteBufHolder content) {
            return content.content().isReadable();
        }
    }

    @Override
    public void close() {
        clock.cancel(false);
        channel.close().syncUninterruptibly();
    }
}
