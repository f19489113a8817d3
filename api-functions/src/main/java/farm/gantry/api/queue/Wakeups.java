package farm.gantry.api.queue;

import farm.gantry.Id;
import farm.gantry.StoreId;
import java.time.Instant;

/**
 * Wakes work on a store in a function, where no loop of this process does it. A wakeup may be lost, and what it was for is
 * found by the next sweep; one may come twice, or while the work is under way.
 */
public interface Wakeups {
    /** What functions are woken for, and the queue by which each is. */
    enum Purpose {
        SCHEDULE(Queues.SCHEDULE),
        WEBHOOKS(Queues.WEBHOOKS);

        private final String queue;

        Purpose(String queue) {
            this.queue = queue;
        }

        public String queue() {
            return queue;
        }
    }

    /** Never fails: what it is for is committed. */
    void now(Purpose purpose, StoreId store);

    /** The same at a time, unless the store is woken for this work by then anyway. */
    void at(Purpose purpose, StoreId store, Instant due);

    /** The store that a wakeup's message names. */
    static StoreId store(String message) {
        if (!Id.isValid(message)) {
            throw new IllegalArgumentException("a wakeup that names no store");
        }
        return new StoreId(message);
    }
}
