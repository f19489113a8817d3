package farm.gantry.api.connection;

import farm.gantry.api.http.RequestIds;
import io.micronaut.http.netty.channel.ChannelPipelineCustomizer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Closes connections whose client is too slow, or that are no longer needed. Runs only on the connection's event loop,
 * on both sides of the HTTP codec: here on bytes, and in {@link HttpMessageHandler} on requests.
 */
final class ConnectionTimeoutHandler extends ChannelDuplexHandler {
    /** Event that makes a connection close after its current response. */
    static final Object DRAIN = new Object();

    /**
     * Longest rest of a body, in bytes, that is skipped after an early response so that the connection can be reused.
     */
    private static final long MAX_SKIPPED = 4 << 20;

    private static final Set<HttpVersion> SUPPORTED_VERSIONS = Set.of(HttpVersion.HTTP_1_0, HttpVersion.HTTP_1_1);
    private static final String CODEC = ChannelPipelineCustomizer.HANDLER_HTTP_SERVER_CODEC;

    private final Channel channel;
    private final ConnectionLimits limits;
    private final BooleanSupplier isDraining;
    private @Nullable ScheduledFuture<?> check;

    /** Start of the connection's current state; for a body, of the current measurement. */
    private long stateSince = System.nanoTime();

    private boolean isHeadOpen = true;
    private boolean isBodyOpen;
    private boolean isBodyLong;
    private boolean isAnswerBegun;
    /**
     * Whether no request is read after this one: the end of a chunked body may be ambiguous to proxies, and a long body
     * was answered before its end.
     */
    private boolean isLast;
    /** The connection closes at the end of the body or of the linger time. */
    private boolean isLingering;

    private long lastRead;

    private int unanswered;
    private long bytes;
    private boolean isReading;
    private long unread;
    private long unreadSince;

    ConnectionTimeoutHandler(Channel channel, ConnectionLimits limits, BooleanSupplier isDraining) {
        this.channel = channel;
        this.limits = limits;
        this.isDraining = isDraining;
    }

    void start() {
        channel.pipeline().addBefore(CODEC, "gantry-watch", this).addAfter(CODEC, "gantry-messages", new HttpMessageHandler());
        long period = limits.checkInterval().toNanos();
        ScheduledFuture<?> each =
                channel.eventLoop().scheduleWithFixedDelay(this::check, period, period, TimeUnit.NANOSECONDS);
        check = each;
        channel.closeFuture().addListener(_ -> each.cancel(false));
    }

    /** Responds that there are too many connections. */
    void rejectTooMany() {
        end(503, "unavailable", "there are too many connections", "Retry-After: 5\r\n");
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        isReading = false;
        if (message instanceof ByteBuf read) {
            if (bytes == 0 || (!isHeadOpen && !isBodyOpen)) {
                isHeadOpen = true;
                stateSince = System.nanoTime();
                bytes = 0;
            }
            bytes += read.readableBytes();
        }
        context.fireChannelRead(message);
    }

    @Override
    public void read(ChannelHandlerContext context) {
        isReading = true;
        context.read();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event.equals(DRAIN)) {
            closeIfDone();
        } else {
            context.fireUserEventTriggered(event);
        }
    }

    private void closeIfDone() {
        if (unanswered == 0 && (isDraining.getAsBoolean() || isLast)) {
            var _ = channel.close();
        }
    }

    private void check() {
        if (isLingering) {
            if (hasElapsed(stateSince, limits.lingerTimeout()) || hasElapsed(lastRead, limits.lingerIdleTimeout())) {
                closeNow();
            }
        } else if (isBodyOpen) {
            checkBody();
        } else if (isHeadOpen && unanswered == 0) {
            if (hasElapsed(stateSince, limits.headerTimeout())) {
                timeOut("the request was sent too slowly");
            }
        } else if (unanswered == 0 && hasElapsed(stateSince, limits.idleTimeout())) {
            var _ = channel.close();
        }
        checkResponseRead();
    }

    /** Checks only while the route reads; delays of the route itself, such as a slow disk, do not count. */
    private void checkBody() {
        if (hasElapsed(stateSince, limits.bodyInterval())) {
            if (bytes < limits.minBodyBytes() && isReading) {
                timeOut("the body was sent too slowly");
            } else {
                stateSince = System.nanoTime();
                bytes = 0;
            }
        }
    }

    private void checkResponseRead() {
        var buffer = channel.unsafe().outboundBuffer();
        long waiting = buffer == null ? 0 : buffer.totalPendingWriteBytes();
        if (waiting == 0 || waiting != unread) {
            unread = waiting;
            unreadSince = System.nanoTime();
        } else if (hasElapsed(unreadSince, limits.responseTimeout())) {
            closeNow();
        }
    }

    private static boolean hasElapsed(long start, Duration time) {
        return System.nanoTime() - start >= time.toNanos();
    }

    /** Sends no response to a client that sent nothing, or that already has its response. */
    private void timeOut(String message) {
        boolean isAnswered = isBodyOpen && unanswered == 0;
        if (isAnswerBegun || isAnswered || (isHeadOpen && bytes == 0)) {
            closeNow();
        } else {
            end(408, "request_timeout", message, "");
        }
    }

    /** Closes even while a body is being received. */
    private void closeNow() {
        isBodyOpen = false;
        var _ = channel.close();
    }

    /** Responds in place of the routes, which only see that the connection is closed. */
    private void end(int status, String error, String message, String headers) {
        if (check != null) {
            check.cancel(false);
        }
        String id = RequestIds.newId();
        String body = "{\"statusCode\":%d,\"error\":\"%s\",\"message\":\"%s\",\"requestId\":\"%s\"}"
                .formatted(status, error, message, id);
        String answer =
                "HTTP/1.1 %d %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\nX-Request-Id: %s\r\n%s"
                                .formatted(status, error, body.length(), id, headers)
                        + "Connection: close\r\n\r\n" + body;
        channel.pipeline()
                .context(this)
                .writeAndFlush(Unpooled.copiedBuffer(answer, StandardCharsets.US_ASCII))
                .addListener(_ -> closeNow());
    }

    /** Handles requests and responses. */
    private final class HttpMessageHandler extends ChannelDuplexHandler {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (isLingering || (isLast && !isBodyOpen)) {
                ReferenceCountUtil.release(message);
                lastRead = System.nanoTime();
                if (isLingering && message instanceof LastHttpContent) {
                    closeNow();
                }
                return;
            }
            if (message instanceof HttpRequest request) {
                if (!SUPPORTED_VERSIONS.contains(request.protocolVersion())) {
                    isLast = true;
                    end(400, "bad_request", "only HTTP/1.1 is spoken", "");
                    return;
                }
                List<String> codings = request.headers().getAll(HttpHeaderNames.TRANSFER_ENCODING);
                isLast = !codings.isEmpty();
                if (isLast
                        && !(codings.size() == 1
                                && HttpHeaderValues.CHUNKED.contentEqualsIgnoreCase(
                                        codings.getFirst().strip()))) {
                    end(400, "bad_request", "the only supported Transfer-Encoding is chunked", "");
                    return;
                }
                isHeadOpen = false;
                isBodyOpen = true;
                isBodyLong =
                        request.decoderResult().isSuccess() && HttpUtil.getContentLength(request, 0L) > MAX_SKIPPED;
                unanswered++;
                stateSince = System.nanoTime();
                bytes = 0;
            }
            if (message instanceof LastHttpContent) {
                isBodyOpen = false;
            }
            context.fireChannelRead(message);
        }

        /**
         * Keeps reading an unfinished body first: closing a connection with unread bytes resets it, and the client
         * would lose the response.
         */
        @Override
        public void close(ChannelHandlerContext context, ChannelPromise promise) {
            if (!isBodyOpen || !channel.isActive()) {
                var _ = context.close(promise);
            } else if (!isLingering) {
                isLingering = true;
                stateSince = System.nanoTime();
                lastRead = stateSince;
                channel.config().setAutoRead(true);
            }
        }

        @Override
        public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
            if (message instanceof HttpResponse response) {
                if (response.status().codeClass() == HttpStatusClass.INFORMATIONAL) {
                    var _ = context.write(message, promise);
                    return;
                }
                isAnswerBegun = true;
                isLast |= isBodyOpen && isBodyLong;
                if (isDraining.getAsBoolean() || isLast) {
                    response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
                }
            }
            if (message instanceof LastHttpContent) {
                isAnswerBegun = false;
                unanswered--;
                stateSince = System.nanoTime();
                ChannelPromise written = promise.unvoid();
                written.addListener(_ -> closeIfDone());
                var _ = context.write(message, written);
                return;
            }
            var _ = context.write(message, promise);
        }
    }
}
