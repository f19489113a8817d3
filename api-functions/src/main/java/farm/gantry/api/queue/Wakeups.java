package farm.gantry.api.queue;

import farm.gantry.Id;
import farm.gantry.StoreId;
import java.time.Instant;

/**
 * Wakes functions to work on a store where no loop does it. Wakeups may be lost, which the next sweep repairs,
 * duplicated, or arrive while the work is running.
 */
public interface Wakeups {
    /** Purposes of wakeups, each with its queue. */
    enum Purpose {
        SCHEDULE(QueueNames.SCHEDULE),
        WEBHOOKS(QueueNames.WEBHOOKS);

        private final String queue;

        Purpose(String queue) {
            this.queue = queue;
        }

        public String queue() {
            return queue;
        }
    }

    /** Wakes the store. Never throws: the causing transaction is already committed. */
    void wake(Purpose purpose, StoreId store);

    /** Wakes the store at a time, unless it is woken for this work earlier. */
    void wakeAt(Purpose purpose, StoreId store, Instant due);

    /** Returns the store that a wakeup message names. */
    static StoreId parseStore(String message) {
        if (!Id.isValid(message)) {
            throw new IllegalArgumentException("a wakeup that names no store");
        }
        return new StoreId(message);
    }
}
