package farm.gantry.edge.http;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Sends HTTP requests with a time limit for the whole exchange, including the response body. */
public final class TimeLimitedExchange {
    private static final Duration MAX_DURATION = Duration.ofHours(1);

    private TimeLimitedExchange() {}

    /**
     * Sends a request and receives the whole response within the request's timeout, which Java's client itself applies
     * only until the response begins.
     */
    public static <T extends @Nullable Object> HttpResponse<T> send(
            HttpClient http, HttpRequest request, BodyHandler<T> body) throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<T>> answer = http.sendAsync(request, body);
        try {
            return answer.get(request.timeout().orElse(MAX_DURATION).toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException cause ? cause : new IOException(String.valueOf(e.getCause()), e);
        } catch (TimeoutException e) {
            throw timedOut(e);
        } finally {
            answer.cancel(true);
        }
    }

    private static HttpTimeoutException timedOut(TimeoutException cause) {
        HttpTimeoutException fault = new HttpTimeoutException("request timed out");
        fault.initCause(cause);
        return fault;
    }
}
