package farm.gantry.api.queue;

import farm.gantry.StoreId;
import farm.gantry.wire.SliceAnswer;
import farm.gantry.wire.SliceRequest;

/** Handles a worker's slices: applies them to the jobs, or queues them for the API. */
@FunctionalInterface
public interface SliceResultHandler {
    /** Applies the answer to a {@code SliceRequest} of the store; it may be delivered again. */
    void apply(StoreId store, SliceAnswer answer);

    /** Whether the answer is still waited for. */
    default boolean isWanted(StoreId store, SliceRequest request) {
        return true;
    }
}
