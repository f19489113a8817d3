package farm.gantry.edge.session;

import farm.gantry.edge.time.AwakeClock;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;

/** Requests that were sent over a connection and not answered yet, by their ids. Responses come in any order. */
public final class PendingRequests {
    private final ConcurrentMap<String, CompletableFuture<Map<String, Object>>> pending = new ConcurrentHashMap<>();

    /** Sends a request. */
    public interface Sender {
        void send() throws IOException, InterruptedException;
    }

    /** Thrown when no response arrived in time. */
    static final class Timeout extends IOException {
        Timeout(String message) {
            super(message);
        }
    }

    /** Sends a request and waits for its response. {@code name} is the name of the request in error messages. */
    public Map<String, Object> send(String id, String name, Duration timeout, Sender sender)
            throws IOException, InterruptedException {
        CompletableFuture<Map<String, Object>> answer = new CompletableFuture<>();
        pending.put(id, answer);
        try {
            sender.send();
            if (!AwakeClock.CLOCK.await(answer, timeout)) {
                throw new Timeout(name + " was not answered in " + timeout.toSeconds() + " s");
            }
            return answer.get();
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            throw new IOException(name + " was not answered: " + (cause == null ? e : cause).getMessage(), e);
        } finally {
            pending.remove(id);
        }
    }

    /** Completes a request; returns false if no request waits for this response. */
    public boolean complete(String id, Map<String, Object> answer) {
        CompletableFuture<Map<String, Object>> waiting = pending.get(id);
        return waiting != null && waiting.complete(answer);
    }

    /** Fails all requests because the connection is closed. */
    public void failAll(String reason) {
        pending.values().forEach(answer -> answer.completeExceptionally(new IOException(reason)));
    }
}
