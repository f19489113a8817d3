package farm.gantry.api.webhook;

import farm.gantry.CrashPoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Runs delivery attempts concurrently. Each round records the finished attempts and claims further deliveries. */
final class DeliveryRounds {
    /** Interval at which new events of a store are claimed while attempts are running. */
    private static final Duration CLAIM_INTERVAL = Duration.ofMillis(250);

    private DeliveryRounds() {}

    /** Records finished attempts and returns the attempts of newly claimed deliveries. */
    @FunctionalInterface
    interface Round<A> {
        List<Supplier<A>> recordAndClaim(List<A> finished, int running);
    }

    /** Runs rounds until no attempt is running and nothing more can be claimed; returns the number of attempts. */
    static <A> int run(Round<A> round) throws InterruptedException {
        BlockingQueue<A> finished = new LinkedBlockingQueue<>();
        int attempts = 0;
        int running = 0;
        List<A> attempted = List.of();
        do {
            List<Supplier<A>> claimed = round.recordAndClaim(attempted, running);
            if (!claimed.isEmpty()) {
                CrashPoint.reached("claimed");
            }
            claimed.forEach(each -> Thread.ofVirtual().start(() -> finished.add(each.get())));
            running += claimed.size();
            attempted = running == 0 ? List.of() : awaitFinished(finished);
            if (!attempted.isEmpty()) {
                CrashPoint.reached("attempted");
            }
            running -= attempted.size();
            attempts += attempted.size();
        } while (running > 0 || !attempted.isEmpty());
        return attempts;
    }

    /** Waits for the first finished attempt, then returns all that have finished. */
    private static <A> List<A> awaitFinished(BlockingQueue<A> finished) throws InterruptedException {
        List<A> attempted = new ArrayList<>();
        A first = finished.poll(CLAIM_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
        if (first != null) {
            attempted.add(first);
            finished.drainTo(attempted);
        }
        return attempted;
    }
}
