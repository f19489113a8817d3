package farm.gantry.edge.http;

import farm.gantry.edge.refusal.Refusal;
import farm.gantry.edge.trust.PrinterTrust;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends HTTP requests to printers, for all providers. */
public final class PrinterHttp {
    private static final Logger LOG = LoggerFactory.getLogger(PrinterHttp.class);
    private static final Duration MIN_DURATION = Duration.ofMinutes(2);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);
    private static final int MIN_BYTES_PER_SECOND = 100_000;
    /**
     * The maximum size of a response in bytes: more than any printer sends, and little enough for the memory that all
     * printers share.
     */
    private static final int MAX_TEXT = 4 << 20;

    private static final HttpClient CLIENT = builder().build();

    private PrinterHttp() {}

    /** Returns the client for all printers. It reuses connections, and retries nothing but GET. */
    public static HttpClient client() {
        return CLIENT;
    }

    /** Returns a client for one printer that is reached by TLS. */
    public static HttpClient client(PrinterTrust trust) {
        return builder().sslContext(trust.sslContext()).build();
    }

    /** Reads a response as text; fails if the response exceeds the maximum size. */
    public static BodyHandler<String> limitedText() {
        return BodyHandlers.limiting(BodyHandlers.ofString(), MAX_TEXT);
    }

    /** Encodes the text as one segment of a path. */
    public static String encodePathSegment(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static HttpClient.Builder builder() {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofSeconds(10))
                .executor(Executors.newVirtualThreadPerTaskExecutor());
    }

    /**
     * Sends a GET over a reused connection, and a change over a new one. Printers close reused connections without
     * notice, and a change that was lost with one must not be sent again. A lost GET is retried: Java's client does so
     * by itself, but not in every case in which a connection closes, which is frequent on a busy machine.
     */
    public static <T extends @Nullable Object> HttpResponse<T> exchange(
            HttpClient http, HttpRequest request, BodyHandler<T> body) throws IOException, InterruptedException {
        if (request.method().equals("GET")) {
            try {
                return TimeLimitedExchange.send(http, request, body);
            } catch (HttpTimeoutException | ConnectException e) {
                throw e;
            } catch (IOException e) {
                LOG.debug("retrying a request to {}: {}", request.uri().getAuthority(), e.getMessage());
            }
        }
        try {
            return onOwnConnection(http, own -> TimeLimitedExchange.send(own, request, body));
        } catch (Refusal e) {
            throw new IllegalStateException("a plain exchange threw a refusal", e);
        }
    }

    /** A sequence of requests over one connection. */
    public interface Conversation<T extends @Nullable Object> {
        T run(HttpClient own) throws IOException, Refusal, InterruptedException;
    }

    /** Opens a connection that nothing else uses, and closes it after the conversation. */
    public static <T extends @Nullable Object> T onOwnConnection(HttpClient http, Conversation<T> conversation)
            throws IOException, Refusal, InterruptedException {
        HttpClient own = builder().sslContext(http.sslContext()).build();
        try {
            return conversation.run(own);
        } finally {
            own.shutdownNow();
            own.awaitTermination(
                    CLOSE_TIMEOUT); // A small printer has no slot for a connection that is left to close by itself.
        }
    }

    /** Checks that a connection leads to the expected machine. */
    public interface IdentityCheck {
        /** Throws if it is another machine than before. */
        void check(HttpClient own) throws IOException, Refusal, InterruptedException;
    }

    /**
     * Sends a change over the connection on which the printer has just proved its identity, because its address may
     * belong to another machine at any time. Without proof, sends nothing.
     */
    public static <T extends @Nullable Object> T sendChange(
            HttpClient http, IdentityCheck identity, Conversation<T> conversation)
            throws IOException, Refusal, InterruptedException {
        return onOwnConnection(http, own -> {
            try {
                identity.check(own);
            } catch (IOException e) {
                throw new Refusal("the printer cannot prove its identity: "
                        + Objects.requireNonNullElse(e.getMessage(), e.toString()));
            }
            return conversation.run(own);
        });
    }

    /** Sends a request and returns the response as text. */
    public static PrinterResponse send(HttpClient http, HttpRequest request) throws IOException, InterruptedException {
        HttpResponse<String> response = exchange(http, request, limitedText());
        return new PrinterResponse(response.statusCode(), response.body());
    }

    /** Returns the time limit for the upload of the file to a printer on a slow network. */
    public static Duration uploadTimeout(Path file) throws IOException {
        return MIN_DURATION.plusSeconds(Files.size(file) / MIN_BYTES_PER_SECOND);
    }
}
