package farm.gantry.api.promise;

import farm.gantry.promise.Promise;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Whether an order is late, and by how many seconds: from the deadline to the median estimate, or 0. */
record Lateness(boolean late, long seconds) {
    private static final Lateness ON_TIME = new Lateness(false, 0);

    /**
     * Returns the lateness of an order. It becomes late when the median estimate is after its deadline, and is on time again only when the
     * 90th percentile is before it, so that it does not alternate. Without an estimate, it is late if its printable jobs are late or its
     * deadline has passed; otherwise it keeps its state.
     *
     * @param promise of the whole order, {@link Promise#NONE} where a part of it has no date
     * @param earliest of those jobs of the order that will be printed
     */
    static Lateness of(PromiseRows.OpenOrder order, Promise promise, Promise earliest, Instant now) {
        Instant deadline = order.deadline();
        if (deadline == null) {
            return ON_TIME;
        }
        Instant at = promise.promisedAt();
        Instant by = promise.promisedBy();
        boolean late = (at != null && by != null)
                ? (order.late() ? by : at).isAfter(deadline)
                : order.late() || now.isAfter(deadline) || isAfter(earliest.promisedAt(), deadline);
        Instant end = at != null ? at : isAfter(earliest.promisedAt(), now) ? earliest.promisedAt() : now;
        return late ? new Lateness(true, Math.max(0, seconds(deadline, end))) : ON_TIME;
    }

    private static boolean isAfter(@Nullable Instant time, Instant other) {
        return time != null && time.isAfter(other);
    }

    private static long seconds(Instant deadline, @Nullable Instant end) {
        return end == null ? 0 : Duration.between(deadline, end).toSeconds();
    }
}
