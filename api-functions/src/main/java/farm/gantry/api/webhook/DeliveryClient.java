package farm.gantry.api.webhook;

import farm.gantry.notification.WebhookDelivery.Attempt;
import farm.gantry.notification.WebhookDelivery.ErrorClass;
import io.netty.handler.codec.http.HttpHeaderNames;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.Objects;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends deliveries and describes the outcome as an attempt. */
@Singleton
final class DeliveryClient {
    private static final Logger LOG = LoggerFactory.getLogger(DeliveryClient.class);

    /** Maximum length of a stored response body. */
    private static final int MAX_STORED = 1024;

    private final PinnedHttpClient client;
    private final InstantSource clock;

    DeliveryClient(PinnedHttpClient client, InstantSource clock) {
        this.client = client;
        this.clock = clock;
    }

    /** A POST request. */
    record PostRequest(URI url, Map<String, String> headers, String body) {}

    /** An attempt, and the delay the receiver asked for. */
    record SendResult(Attempt attempt, Duration retryAfter) {}

    /** Builds the request of an attempt at a time. */
    @FunctionalInterface
    interface RequestSource {
        PostRequest at(Instant time);
    }

    /** Makes one attempt at the delivery with the id; failures are part of the result. */
    SendResult post(String id, RequestSource source) {
        return attempt(id, at -> {
            PostRequest request = source.at(at);
            byte[] body = request.body().getBytes(StandardCharsets.UTF_8);
            return transmit("POST", request.url(), request.headers(), body, MAX_STORED, at);
        });
    }

    /** Sends a body within an attempt that began at the time; returns at most {@code maxReply} bytes of the response. */
    Reply transmit(String method, URI url, Map<String, String> headers, byte[] body, int maxReply, Instant at)
            throws IOException {
        PinnedHttpClient.Response response = client.send(method, url, headers, body, maxReply);
        return new Reply(
                response.status(),
                response.body(),
                retryAfter(response.headers().get(HttpHeaderNames.RETRY_AFTER), at));
    }

    /** A receiver's reply: its status, of which 200 to 299 accept the delivery, its text and the delay that it asked for. */
    record Reply(int status, String text, Duration retryAfter) {
        boolean isAccepted() {
            return status / 100 == 2;
        }
    }

    /** Makes an attempt at a time. */
    @FunctionalInterface
    interface Transmission {
        Reply at(Instant time) throws IOException;
    }

    /** Makes one attempt at the delivery with the id; failures are part of the result. */
    SendResult attempt(String id, Transmission transmission) {
        Instant at = clock.instant();
        long started = System.nanoTime();
        try {
            Reply reply = transmission.at(at);
            Attempt attempt = new Attempt(
                    at,
                    reply.status(),
                    reply.isAccepted() ? null : ErrorClass.status,
                    null,
                    text(reply.text()),
                    millisSince(started));
            return new SendResult(attempt, reply.retryAfter());
        } catch (Throwable e) { // an attempt that is not counted would be retried forever
            ErrorClass errorClass = errorClass(e);
            if (errorClass == ErrorClass.internal) {
                LOG.error("delivery {} failed because of an internal error", id, e);
            }
            return new SendResult(
                    new Attempt(at, null, errorClass, reason(e), null, millisSince(started)), Duration.ZERO);
        }
    }

    private static long millisSince(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos).toMillis();
    }

    /** Returns the beginning without zero characters, which PostgreSQL's text type does not allow. */
    private static @Nullable String text(String body) {
        return body.isEmpty()
                ? null
                : body.substring(0, Math.min(body.length(), MAX_STORED)).replace('\0', '\ufffd');
    }

    private static ErrorClass errorClass(Throwable e) {
        return switch (e) {
            case UnknownHostException _ -> ErrorClass.address;
            case ConnectException _, NoRouteToHostException _ -> ErrorClass.connect;
            case SSLException _ -> ErrorClass.tls;
            case SocketTimeoutException _ -> ErrorClass.timeout;
            case IOException _ -> ErrorClass.protocol;
            case Throwable _ -> ErrorClass.internal;
        };
    }

    private static String reason(Throwable e) {
        String kind = e.getClass().getSimpleName().replace("Exception", "");
        return e.getMessage() == null ? kind : kind + ": " + e.getMessage();
    }

    /** Parses a Retry-After header in seconds or as a date; zero if it is absent or invalid. */
    static Duration retryAfter(@Nullable String header, Instant now) {
        String value = Objects.requireNonNullElse(header, "").strip();
        if (value.matches("\\d{1,9}")) {
            return Duration.ofSeconds(Long.parseLong(value));
        }
        try {
            Instant until = ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant();
            return until.isAfter(now) ? Duration.between(now, until) : Duration.ZERO;
        } catch (DateTimeException e) {
            return Duration.ZERO;
        }
    }
}
