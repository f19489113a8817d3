package farm.gantry.edge.retry;

import farm.gantry.edge.refusal.Refusal;
import java.io.IOException;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Talks with a printer, and when that ends in whatever way, waits a while and begins again, until it is closed. */
public final class Redial implements AutoCloseable {
    private final Talk talk;
    private final Consumer<String> lost;
    private final Backoff backoff = Backoff.ofPrinter();
    private final Thread thread = Thread.ofVirtual().unstarted(this::run);
    private volatile @Nullable Opening opening;

    /** {@code lost} is told why a talk ended. */
    public Redial(Talk talk, Consumer<String> lost) {
        this.talk = talk;
        this.lost = lost;
    }

    /** From opening a line to its end. */
    public interface Talk {
        void run() throws IOException, Refusal, InterruptedException;
    }

    public void begin() {
        thread.start();
    }

    private void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                try (Opening begun = Opening.begin()) {
                    opening = begun;
                    talk.run();
                } catch (IOException | Refusal | RuntimeException e) {
                    lost.accept(Objects.requireNonNullElse(e.getMessage(), e.toString()));
                }
                Thread.sleep(backoff.next());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The line is good: after its end the next is tried soon. */
    public void reached() {
        backoff.reset();
        Opening begun = opening;
        if (begun != null) {
            begun.close();
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
