package farm.gantry.edge.http;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A WebSocket on which printer and agent send each other texts. */
public final class TextSocket implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final WebSocket socket;

    private TextSocket(WebSocket socket) {
        this.socket = socket;
    }

    /** {@code heard} takes the texts in order, {@code ended} once why there are no more. */
    public static TextSocket open(HttpClient http, URI address, Consumer<String> heard, Consumer<String> ended)
            throws IOException, InterruptedException {
        CompletableFuture<WebSocket> opening =
                http.newWebSocketBuilder().connectTimeout(PATIENCE).buildAsync(address, new Texts(heard, ended));
        try {
            return new TextSocket(opening.get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
        } catch (ExecutionException e) {
            throw new IOException("no WebSocket at " + address.getAuthority() + ": " + words(e.getCause()), e);
        } catch (TimeoutException e) {
            opening.cancel(true);
            throw new IOException("no WebSocket at " + address.getAuthority() + " in time", e);
        }
    }

    public synchronized void send(String text) throws IOException, InterruptedException {
        try {
            socket.sendText(text, true).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new IOException("the line is broken: " + words(e.getCause()), e);
        } catch (TimeoutException e) {
            throw new IOException("the line is stuck", e);
        }
    }

    private static String words(@Nullable Throwable cause) {
        return cause == null || cause.getMessage() == null ? String.valueOf(cause) : cause.getMessage();
    }

    @Override
    public void close() {
        socket.abort();
    }

    private static final class Texts implements WebSocket.Listener {
        private final Consumer<String> heard;
        private final Consumer<String> ended;
        private final StringBuilder text = new StringBuilder();

        Texts(Consumer<String> heard, Consumer<String> ended) {
            this.heard = heard;
            this.ended = ended;
        }

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                String whole = text.toString();
                text.setLength(0);
                heard.accept(whole);
            }
            socket.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket socket, int statusCode, String reason) {
            ended.accept("the connection was closed" + (reason.isEmpty() ? "" : ": " + reason));
            return null;
        }

        @Override
        public void onError(WebSocket socket, Throwable error) {
            ended.accept("the connection broke: " + words(error));
        }
    }
}
