package farm.gantry.api.queue;

import farm.gantry.StoreId;

/** Moves messages from the outbox to their queues. */
public interface OutboxDispatcher {
    /**
     * Sends waiting messages; returns how many were sent. A message that cannot be sent stays and does not block
     * others. If the process dies while sending, a message may be sent twice.
     */
    int relay();

    /** Sends the waiting messages of one store. */
    int relay(StoreId store);
}
