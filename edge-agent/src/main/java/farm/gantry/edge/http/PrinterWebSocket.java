package farm.gantry.edge.http;

import farm.gantry.edge.time.AwakeClock;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolConfig;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler.ClientHandshakeStateEvent;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrameAggregator;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A WebSocket connection for text messages. One thread reads the messages of all printers. */
@SuppressWarnings("FutureReturnValueIgnored") // What cannot be closed is closed.
public final class PrinterWebSocket implements AutoCloseable {
    private static final EventLoopGroup LOOP = new MultiThreadIoEventLoopGroup(
            1, Thread.ofPlatform().daemon().name("sockets").factory(), NioIoHandler.newFactory());
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int MAX_ANSWER = 1 << 16;
    /**
     * The maximum size of a message in bytes: more than any printer sends, and little enough for the memory that all
     * printers share.
     */
    private static final int MAX_TEXT = 4 << 20;

    private final Channel channel;

    private PrinterWebSocket(Channel channel) {
        this.channel = channel;
    }

    /**
     * Opens a connection. {@code onText} receives the messages in order; {@code onEnd} is called once, with the reason
     * why the connection ended. Neither may block, because one thread calls them for all printers.
     */
    public static PrinterWebSocket open(URI address, Consumer<String> onText, Consumer<String> onEnd)
            throws IOException, InterruptedException {
        InetSocketAddress host = new InetSocketAddress(address.getHost(), address.getPort());
        if (host.isUnresolved()) {
            throw new UnknownHostException(address.getHost());
        }
        WebSocketClientProtocolHandler protocol =
                new WebSocketClientProtocolHandler(WebSocketClientProtocolConfig.newBuilder()
                        .webSocketUri(address)
                        .maxFramePayloadLength(MAX_TEXT)
                        .handleCloseFrames(false)
                        .withUTF8Validator(false)
                        .handshakeTimeoutMillis(TIMEOUT.toMillis())
                        .build());
        Texts texts = new Texts(onText, onEnd);
        ChannelFuture connected = new Bootstrap()
                .group(LOOP)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) TIMEOUT.toMillis())
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast(
                                        new HttpClientCodec(),
                                        new HttpObjectAggregator(MAX_ANSWER),
                                        protocol,
                                        new WebSocketFrameAggregator(MAX_TEXT),
                                        texts);
                    }
                })
                .connect(host);
        PrinterWebSocket socket = new PrinterWebSocket(connected.channel());
        try {
            String where = "no WebSocket at " + address.getAuthority();
            await(connected, where);
            await(texts.opened, where);
            return socket;
        } catch (IOException | InterruptedException e) {
            socket.close();
            throw e;
        }
    }

    public void send(String text) throws IOException, InterruptedException {
        await(channel.writeAndFlush(new TextWebSocketFrame(text)), "cannot send a message");
    }

    private static void await(Future<?> future, String fault) throws IOException, InterruptedException {
        if (!AwakeClock.CLOCK.await(nanoseconds -> future.await(nanoseconds, TimeUnit.NANOSECONDS), TIMEOUT)) {
            throw new IOException(fault + ": timeout");
        }
        if (!future.isSuccess()) {
            throw new IOException(fault + ": " + errorText(future.cause()), future.cause());
        }
    }

    private static String errorText(@Nullable Throwable cause) {
        return cause == null || cause.getMessage() == null ? String.valueOf(cause) : cause.getMessage();
    }

    @Override
    public void close() {
        channel.close();
    }

    private static final class Texts extends SimpleChannelInboundHandler<WebSocketFrame> {
        private static final String CLOSED = "the connection was closed";

        private final Consumer<String> onText;
        private final Consumer<String> onEnd;
        private final Promise<Void> opened = LOOP.next().newPromise();
        private volatile String end = CLOSED;

        Texts(Consumer<String> onText, Consumer<String> onEnd) {
            this.onText = onText;
            this.onEnd = onEnd;
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (event == ClientHandshakeStateEvent.HANDSHAKE_COMPLETE) {
                opened.setSuccess(null);
            }
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, WebSocketFrame frame) {
            switch (frame) {
                case TextWebSocketFrame text -> onText.accept(text.text());
                case CloseWebSocketFrame close -> {
                    end = close.reasonText().isEmpty() ? CLOSED : CLOSED + ": " + close.reasonText();
                    context.close();
                }
                default -> {}
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            opened.tryFailure(cause);
            end = "the connection broke: " + errorText(cause);
            context.close();
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            opened.tryFailure(new IOException(end));
            onEnd.accept(end);
        }
    }
}
