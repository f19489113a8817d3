package farm.gantry.edge.mqtt;

import farm.gantry.edge.printer.Reading;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** An order that is out: the printer answers it, or shows that it has done it. */
record Pending(
        Predicate<Reading> done, CompletableFuture<Map<String, Object>> answer, CompletableFuture<Reading> sight) {

    Pending(Predicate<Reading> done) {
        this(done, new CompletableFuture<>(), new CompletableFuture<>());
    }

    void see(Reading reading) {
        if (done.test(reading)) {
            sight.complete(reading);
            answer.complete(Map.of());
        }
    }

    void lose(String reason) {
        IOException loss = new IOException("the line broke before the printer answered: " + reason);
        answer.completeExceptionally(loss);
        sight.completeExceptionally(loss);
    }

    /** Null when the printer stays silent, empty when it has shown that it has done it. */
    @Nullable
    Map<String, Object> answer(Duration patience) throws IOException, InterruptedException {
        try {
            return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return null;
        } catch (ExecutionException e) {
            throw new IOException(String.valueOf(e.getMessage()), e);
        }
    }

    /** An order that was answered and is not seen within this time shows later, or never. */
    void awaitSight(Duration patience) throws InterruptedException {
        try {
            sight.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            // It was answered, which is enough.
        }
    }
}
