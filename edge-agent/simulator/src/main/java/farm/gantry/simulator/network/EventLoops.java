package farm.gantry.simulator.network;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Netty's event loops, shared by all simulated printers of a process. */
final class EventLoops {
    private static final MultiThreadIoEventLoopGroup LOOPS =
            new MultiThreadIoEventLoopGroup(2, Thread.ofPlatform().daemon().factory(), NioIoHandler.newFactory());
    private static final int BETWEEN_UPDATES = 250;

    private EventLoops() {}

    /**
     * Listens on loopback; port 0 chooses a free one. {@code visitor} sets up the pipeline of each connection. All
     * connections share one event loop with the port, so that the end of one is seen before what a client sends over
     * the next.
     */
    static Channel open(int number, Consumer<ChannelPipeline> visitor) {
        return new ServerBootstrap()
                .group(LOOPS.next())
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel accepted) {
                        visitor.accept(accepted.pipeline());
                    }
                })
                .bind("127.0.0.1", number)
                .syncUninterruptibly()
                .channel();
    }

    static int number(Channel open) {
        return ((InetSocketAddress) open.localAddress()).getPort();
    }

    /** Runs a task four times a second. */
    static ScheduledFuture<?> schedule(Runnable tick) {
        return LOOPS.next().scheduleAtFixedRate(tick, BETWEEN_UPDATES, BETWEEN_UPDATES, TimeUnit.MILLISECONDS);
    }
}
