package farm.gantry.edge.retry;

import farm.gantry.edge.log.ConnectionErrorText;
import farm.gantry.edge.refusal.Refusal;
import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reopens a connection to a printer after a backoff whenever it has ended, until the loop is closed. */
public final class ReconnectLoop implements AutoCloseable {
    private final Attempt attempt;
    private final Consumer<String> onEnd;
    private final Backoff backoff = Backoff.ofPrinter();
    private final Thread thread = Thread.ofVirtual().unstarted(this::run);
    private volatile @Nullable ConnectionPermit permit;

    /** Creates a loop. {@code onEnd} receives the reason each time a connection has ended. */
    public ReconnectLoop(Attempt attempt, Consumer<String> onEnd) {
        this.attempt = attempt;
        this.onEnd = onEnd;
    }

    /** Opens a connection and returns or throws when it has ended. */
    public interface Attempt {
        void run() throws IOException, Refusal, InterruptedException;
    }

    public void start() {
        thread.start();
    }

    private void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                try (ConnectionPermit acquired = ConnectionPermit.acquire()) {
                    permit = acquired;
                    attempt.run();
                } catch (IOException | Refusal | RuntimeException e) {
                    onEnd.accept(ConnectionErrorText.of(e));
                }
                Thread.sleep(backoff.nextDelay());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Resets the backoff and releases the permit, because the printer has answered. */
    public void onConnected() {
        backoff.reset();
        ConnectionPermit acquired = permit;
        if (acquired != null) {
            acquired.close();
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
