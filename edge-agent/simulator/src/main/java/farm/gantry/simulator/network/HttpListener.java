package farm.gantry.simulator.network;

import io.netty.buffer.ByteBufHolder;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The HTTP port of a simulated printer, and the timer that advances it. */
@SuppressWarnings("FutureReturnValueIgnored") // What cannot be closed is closed.
public final class HttpListener implements AutoCloseable {
    private static final int MAX_UPLOAD = 1 << 30;

    private final Channel channel;
    private final ScheduledFuture<?> clock;
    private volatile boolean cutting;

    /** Port 0 chooses a free one; {@code transport} adds handlers between the socket and HTTP. */
    public HttpListener(
            int number,
            Consumer<ChannelPipeline> transport,
            FaultInjection.FaultTarget target,
            Supplier<ChannelHandler> connection,
            Runnable tick) {
        this.channel = EventLoops.open(number, pipeline -> {
            transport.accept(pipeline);
            pipeline.addLast(
                    new HttpServerCodec(),
                    new UploadCutter(),
                    new HttpObjectAggregator(MAX_UPLOAD),
                    new FaultInjection(target),
                    connection.get());
        });
        this.clock = EventLoops.schedule(tick);
    }

    public int port() {
        return EventLoops.number(channel);
    }

    /** Breaks the connection in the middle of the next upload. */
    public void breakNextUpload() {
        cutting = true;
    }

    private final class UploadCutter extends ChannelInboundHandlerAdapter {

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
