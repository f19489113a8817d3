package farm.gantry.edge.provider.vendora;

import farm.gantry.edge.json.Tree;
import farm.gantry.edge.printer.Reading;
import farm.gantry.edge.printer.Refusal;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

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

    /** False when the printer stays silent. */
    boolean isAnswered(Duration patience) throws IOException, Refusal, InterruptedException {
        try {
            check(answer.get(patience.toMillis(), TimeUnit.MILLISECONDS));
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IOException(String.valueOf(e.getMessage()), e);
        }
    }

    private static void check(Map<String, Object> answer) throws Refusal {
        Integer code = Tree.integer(answer, "err_code");
        if (code != null && code == Troubles.NOT_SIGNED) {
            throw new Refusal(Troubles.NEEDS_DEVELOPER_MODE);
        }
        String result = Objects.requireNonNullElse(Tree.text(answer, "result"), "");
        if (result.toLowerCase(Locale.ROOT).startsWith("fail")) {
            String reason = Tree.text(answer, "reason");
            throw new Refusal("the printer does not do this now" + (reason == null ? "" : ": " + reason));
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
