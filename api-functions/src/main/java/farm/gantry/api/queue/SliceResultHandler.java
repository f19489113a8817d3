package farm.gantry.api.queue;

import farm.gantry.StoreId;
import farm.gantry.wire.SliceResult;
import farm.gantry.wire.SliceRequest;

/** Handles a worker's slices: applies them to the jobs, or queues them for the API. */
@FunctionalInterface
public interface SliceResultHandler {
    /** Applies the result of a {@code SliceRequest} of the store; it may be delivered more than once. */
    void apply(StoreId store, SliceResult answer);

    /** Whether the result is still needed. */
    default boolean isWanted(StoreId store, SliceRequest request) {
        return true;
    }
}
