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
 * Closes a connection whose client is too slow, or that is not needed any more. All of it runs on the connection's event
 * loop. It stands on both sides of the HTTP codec: here where bytes are, and in {@link Messages} where requests are.
 */
final class ConnectionWatch extends ChannelDuplexHandler {
    /** Tells a connection to close as soon as what it asked for is answered. */
    static final Object DRAIN = new Object();

    /** The longest body whose rest is passed over after an early answer, so that the connection serves the next request. */
    private static final long MAX_SKIPPED = 4 << 20;

    private static final Set<HttpVersion> SPOKEN = Set.of(HttpVersion.HTTP_1_0, HttpVersion.HTTP_1_1);
    private static final String CODEC = ChannelPipelineCustomizer.HANDLER_HTTP_SERVER_CODEC;

    private final Channel channel;
    private final ConnectionLimits limits;
    private final BooleanSupplier isDraining;
    private @Nullable ScheduledFuture<?> check;

    /** Since when the connection is in the state that it is in; in that of a body, since when its bytes are counted. */
    private long since = System.nanoTime();

    private boolean isHeadOpen = true;
    private boolean isBodyOpen;
    private boolean isBodyLong;
    private boolean isAnswerBegun;
    /**
     * Nothing more is read after this request: where a body ends that came in chunks, others may see another end; and a
     * long one was answered before its end.
     */
    private boolean isLast;
    /** The connection closes when the body is read to its end, or time is up. */
    private boolean isLingering;

    private long lastRead;

    private int unanswered;
    private long bytes;
    private boolean isReading;
    private long unread;
    private long unreadSince;

    ConnectionWatch(Channel channel, ConnectionLimits limits, BooleanSupplier isDraining) {
        this.channel = channel;
        this.limits = limits;
        this.isDraining = isDraining;
    }

    void start() {
        channel.pipeline().addBefore(CODEC, "gantry-watch", this).addAfter(CODEC, "gantry-messages", new Messages());
        long period = limits.period().toNanos();
        ScheduledFuture<?> each =
                channel.eventLoop().scheduleWithFixedDelay(this::check, period, period, TimeUnit.NANOSECONDS);
        check = each;
        channel.closeFuture().addListener(_ -> each.cancel(false));
    }

    /** Says that there are too many connections. */
    void refuse() {
        end(503, "unavailable", "there are too many connections", "Retry-After: 5\r\n");
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        isReading = false;
        if (message instanceof ByteBuf read) {
            if (bytes == 0 || (!isHeadOpen && !isBodyOpen)) {
                isHeadOpen = true;
                since = System.nanoTime();
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
            if (isOver(since, limits.lingerTimeout()) || isOver(lastRead, limits.lingerIdleTimeout())) {
                closeNow();
            }
        } else if (isBodyOpen) {
            checkBody();
        } else if (isHeadOpen && unanswered == 0) {
            if (isOver(since, limits.headerTimeout())) {
                timeOut("the request came too slowly");
            }
        } else if (unanswered == 0 && isOver(since, limits.idleTimeout())) {
            var _ = channel.close();
        }
        checkReader();
    }

    /** Only while the route is reading: a delay of the route itself, as by a slow disk, is not counted. */
    private void checkBody() {
        if (isOver(since, limits.bodyInterval())) {
            if (bytes < limits.minBodyBytes() && isReading) {
                timeOut("the body came too slowly");
            } else {
                since = System.nanoTime();
                bytes = 0;
            }
        }
    }

    private void checkReader() {
        var buffer = channel.unsafe().outboundBuffer();
        long waiting = buffer == null ? 0 : buffer.totalPendingWriteBytes();
        if (waiting == 0 || waiting != unread) {
            unread = waiting;
            unreadSince = System.nanoTime();
        } else if (isOver(unreadSince, limits.responseTimeout())) {
            closeNow();
        }
    }

    private static boolean isOver(long start, Duration time) {
        return System.nanoTime() - start >= time.toNanos();
    }

    /** One that has sent nothing at all is told nothing, nor one that has its answer. */
    private void timeOut(String message) {
        boolean isAnswered = isBodyOpen && unanswered == 0;
        if (isAnswerBegun || isAnswered || (isHeadOpen && bytes == 0)) {
            closeNow();
        } else {
            end(408, "request_timeout", message, "");
        }
    }

    /** Closes although a body may be under way. */
    private void closeNow() {
        isBodyOpen = false;
        var _ = channel.close();
    }

    /** Answers in place of the routes, which get to know of nothing but that the connection is closed. */
    private void end(int status, String error, String message, String headers) {
        if (check != null) {
            check.cancel(false);
        }
        String id = RequestIds.next();
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

    /** Where requests are read and answers written. */
    private final class Messages extends ChannelDuplexHandler {
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
                if (!SPOKEN.contains(request.protocolVersion())) {
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
                    end(400, "bad_request", "the only Transfer-Encoding that is understood is chunked", "");
                    return;
                }
                isHeadOpen = false;
                isBodyOpen = true;
                isBodyLong =
                        request.decoderResult().isSuccess() && HttpUtil.getContentLength(request, 0L) > MAX_SKIPPED;
                unanswered++;
                since = System.nanoTime();
                bytes = 0;
            }
            if (message instanceof LastHttpContent) {
                isBodyOpen = false;
            }
            context.fireChannelRead(message);
        }

        /**
         * Before the body has come to its end, it is read on: a connection closed with bytes unread is reset, and the
         * client loses the answer.
         */
        @Override
        public void close(ChannelHandlerContext context, ChannelPromise promise) {
            if (!isBodyOpen || !channel.isActive()) {
                var _ = context.close(promise);
            } else if (!isLingering) {
                isLingering = true;
                since = System.nanoTime();
                lastRead = since;
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
                since = System.nanoTime();
                ChannelPromise written = promise.unvoid();
                written.addListener(_ -> closeIfDone());
                var _ = context.write(message, written);
                return;
            }
            var _ = context.write(message, promise);
        }
    }
}
