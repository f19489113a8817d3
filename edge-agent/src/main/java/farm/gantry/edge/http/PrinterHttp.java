package farm.gantry.edge.http;

import farm.gantry.edge.refusal.Refusal;
import farm.gantry.edge.trust.Trust;
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

/** What all makes that speak HTTP have in common. */
public final class PrinterHttp {
    private static final Logger LOG = LoggerFactory.getLogger(PrinterHttp.class);
    private static final Duration MIN_DURATION = Duration.ofMinutes(2);
    private static final Duration CLOSING = Duration.ofSeconds(1);
    private static final int SLOWEST_BYTES_PER_SECOND = 100_000;
    /** In bytes: more than any printer has to say, and little enough for the memory that all printers share. */
    private static final int MAX_TEXT = 4 << 20;

    private static final HttpClient CLIENT = builder().build();

    private PrinterHttp() {}

    /** The one for all printers. Keeps connections alive, and never tries again what may have been done: only a GET. */
    public static HttpClient client() {
        return CLIENT;
    }

    /** Another for one printer that is spoken to in TLS. */
    public static HttpClient client(Trust trust) {
        return builder().sslContext(trust.context()).build();
    }

    /** An answer that is text; it fails where it has no end, or tells of more files than there is memory for. */
    public static BodyHandler<String> text() {
        return BodyHandlers.limiting(BodyHandlers.ofString(), MAX_TEXT);
    }

    /** The text as one segment of a path. */
    public static String segment(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static HttpClient.Builder builder() {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofSeconds(10))
                .executor(Executors.newVirtualThreadPerTaskExecutor());
    }

    /**
     * Asks over a connection that is kept, and changes something over one of its own: printers close those that are kept
     * without saying so, and a change that was lost with one must not be sent again. What was only asked is: Java's client
     * does so by itself, but not whenever a connection closes under its hands, as it often does on a busy machine.
     */
    public static <T extends @Nullable Object> HttpResponse<T> exchange(
            HttpClient http, HttpRequest request, BodyHandler<T> body) throws IOException, InterruptedException {
        if (request.method().equals("GET")) {
            try {
                return Exchange.whole(http, request, body);
            } catch (HttpTimeoutException | ConnectException e) {
                throw e;
            } catch (IOException e) {
                LOG.debug("{} is asked again: {}", request.uri().getAuthority(), e.getMessage());
            }
        }
        try {
            return onOwnConnection(http, own -> Exchange.whole(own, request, body));
        } catch (Refusal e) {
            throw new IllegalStateException("an exchange refuses nothing", e);
        }
    }

    /** Requests that go one after the other over one connection. */
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
            own.awaitTermination(CLOSING); // A small printer has no slot for one that is left to close by itself.
        }
    }

    /** Asks which machine answers. */
    public interface IdentityCheck {
        /** Fails where it is another one than before. */
        void check(HttpClient own) throws IOException, Refusal, InterruptedException;
    }

    /**
     * Sends a change over the connection on which the printer has just proved which machine it is: its address may have been given to
     * another one at any time. Where it is not proved, nothing is sent.
     */
    public static <T extends @Nullable Object> T change(
            HttpClient http, IdentityCheck identity, Conversation<T> conversation)
            throws IOException, Refusal, InterruptedException {
        return onOwnConnection(http, own -> {
            try {
                identity.check(own);
            } catch (IOException e) {
                throw new Refusal("the printer does not prove which machine it is: "
                        + Objects.requireNonNullElse(e.getMessage(), e.toString()));
            }
            return conversation.run(own);
        });
    }

    /** The same, answered with text. */
    public static PrinterResponse send(HttpClient http, HttpRequest request) throws IOException, InterruptedException {
        HttpResponse<String> response = exchange(http, request, text());
        return new PrinterResponse(response.statusCode(), response.body());
    }

    /** How long the file may take to a printer on a slow network. */
    public static Duration uploadTime(Path file) throws IOException {
        return MIN_DURATION.plusSeconds(Files.size(file) / SLOWEST_BYTES_PER_SECOND);
    }
}
