package farm.gantry.api.queue;

import farm.gantry.StoreId;

/** Takes waiting messages from the outbox to their queues, wherever these are. */
public interface OutboxDispatch {
    /**
     * Returns how many were sent. One that cannot be sent waits on and holds up no other; one may be sent twice where the
     * process dies in between.
     */
    int relay();

    /** The same of one store. */
    int relay(StoreId store);
}
