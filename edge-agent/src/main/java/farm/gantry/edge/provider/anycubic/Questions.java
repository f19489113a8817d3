package farm.gantry.edge.provider.anycubic;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of an agent's messages to a printer, in their order. A report of how the printer is may be late, unasked, or for
 * another program; of a printer whose reports bear the number of the question, only one to the last that matters is its answer.
 */
final class Questions {
    private final long own = UUID.randomUUID().getMostSignificantBits();
    private final AtomicLong last = new AtomicLong();
    private volatile long awaited;
    private volatile boolean echoed;

    String next() {
        return new UUID(own, last.incrementAndGet()).toString();
    }

    /** No answer to what was asked until now will do. */
    void waitForNext() {
        awaited = last.get() + 1;
    }

    boolean isAnswered(@Nullable String number) {
        long asked = numberOf(number);
        echoed = echoed || asked > 0;
        return !echoed || (asked > 0 && asked >= awaited);
    }

    /** Zero of what was not asked here. */
    private long numberOf(@Nullable String number) {
        try {
            UUID id = number == null ? new UUID(0, 0) : UUID.fromString(number);
            return id.getMostSignificantBits() == own ? id.getLeastSignificantBits() : 0;
        } catch (IllegalArgumentException e) {
            return 0;
        }
    }
}
