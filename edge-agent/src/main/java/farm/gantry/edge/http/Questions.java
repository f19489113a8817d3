package farm.gantry.edge.http;

import farm.gantry.edge.time.Awake;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;

/** What was asked over a line and not yet answered; answers come in any order, each with the number of its question. */
public final class Questions {
    private final ConcurrentMap<String, CompletableFuture<Map<String, Object>>> open = new ConcurrentHashMap<>();

    /** Puts a question on the line. */
    public interface Asking {
        void send() throws IOException, InterruptedException;
    }

    /** Asks and waits; {@code name} is what it is called when no answer comes. */
    public Map<String, Object> ask(String number, String name, Duration patience, Asking asking)
            throws IOException, InterruptedException {
        CompletableFuture<Map<String, Object>> answer = new CompletableFuture<>();
        open.put(number, answer);
        try {
            asking.send();
            if (!Awake.CLOCK.await(answer, patience)) {
                throw new IOException(name + " was not answered in " + patience.toSeconds() + " s");
            }
            return answer.get();
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            throw new IOException(name + " was not answered: " + (cause == null ? e : cause).getMessage(), e);
        } finally {
            open.remove(number);
        }
    }

    /** False when nobody waits for it. */
    public boolean answered(String number, Map<String, Object> answer) {
        CompletableFuture<Map<String, Object>> waiting = open.get(number);
        return waiting != null && waiting.complete(answer);
    }

    /** No more answers come. */
    public void end(String reason) {
        open.values().forEach(answer -> answer.completeExceptionally(new IOException(reason)));
    }
}
