package farm.gantry.api.queue;

import farm.gantry.StoreId;
import java.time.Duration;
import java.time.Instant;

/**
 * Records outside of the database which stores are in use, so that functions leave the database alone while none is. A
 * lost record costs time only. No method throws.
 */
public interface StoreActivity {
    /** How long a store counts as in use after a change of it began; longer than any change takes. */
    Duration ACTIVE_TIME = Duration.ofMinutes(5);

    /** Records that the store is in use. Must be called before the change commits, so that the record cannot be lost. */
    void touch(StoreId store);

    /** Records that the store has work at that time; returns whether the sweep then runs. */
    boolean touchAt(StoreId store, Wakeups.Purpose purpose, Instant due);
}
