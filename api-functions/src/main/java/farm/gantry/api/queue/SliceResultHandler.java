package farm.gantry.api.queue;

import farm.gantry.StoreId;
import farm.gantry.wire.SliceAnswer;

/** Where a worker's slices go: straight to the jobs that wait for them, or through a queue to where those are kept. */
@FunctionalInterface
public interface SliceResultHandler {
    /** Takes the answer to a {@code SliceRequest} of the store; the same may come again. */
    void apply(StoreId store, SliceAnswer answer);
}
