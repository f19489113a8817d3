package farm.gantry.edge.provider.anycubic;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Assigns numbers to the agent's requests to a printer, to recognize the response to a request. A status report may be
 * late, unsolicited, or for another program. If the printer includes the request's number in its reports, only a report
 * with the number of the latest relevant request counts as the response.
 */
final class RequestNumbers {
    private final long own = UUID.randomUUID().getMostSignificantBits();
    private final AtomicLong last = new AtomicLong();
    private volatile long awaited;
    private volatile boolean echoed;

    String nextNumber() {
        return new UUID(own, last.incrementAndGet()).toString();
    }

    /** Makes {@link #isAnswered} ignore responses to earlier requests. */
    void invalidateEarlier() {
        awaited = last.get() + 1;
    }

    boolean isAnswered(@Nullable String number) {
        long requestNumber = parseOwnNumber(number);
        echoed = echoed || requestNumber > 0;
        return !echoed || (requestNumber > 0 && requestNumber >= awaited);
    }

    /** Parses a number; 0 for a request that this agent did not send. */
    private long parseOwnNumber(@Nullable String number) {
        try {
            UUID id = number == null ? new UUID(0, 0) : UUID.fromString(number);
            return id.getMostSignificantBits() == own ? id.getLeastSignificantBits() : 0;
        } catch (IllegalArgumentException e) {
            return 0;
        }
    }
}
