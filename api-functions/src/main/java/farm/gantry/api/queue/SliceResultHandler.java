package farm.gantry.api.queue;

import farm.gantry.StoreId;
import farm.gantry.wire.SliceAnswer;

/** Handles a worker's slices: applies them to the jobs, or queues them for the API. */
@FunctionalInterface
public interface SliceResultHandler {
    /** Applies the answer to a {@code SliceRequest} of the store; it may be delivered again. */
    void apply(StoreId store, SliceAnswer answer);
}
