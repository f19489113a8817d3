package farm.gantry.api.database;

import farm.gantry.StoreId;
import farm.gantry.api.security.IdempotencyClaim;

/** What is known of requests by their idempotency keys, for 24 hours. */
public interface IdempotencyRecords {
    /** What became of the request that came first. */
    sealed interface Outcome {
        /** There was none: this one is it. */
        record Claimed(IdempotencyClaim claim) implements Outcome {}

        record Answered(int status, String json) implements Outcome {}

        /** It asked for something else. */
        record OtherRequest() implements Outcome {}

        record InProgress() implements Outcome {}

        /** It did its work, and ended before its answer was kept. */
        record AnswerLost() implements Outcome {}
    }

    /** Claims the key for a request, unless another did. Both texts are hashes. */
    Outcome claim(StoreId store, String id, String request);

    /** Keeps the answer, from which on it is replayed. */
    void answer(StoreId store, IdempotencyClaim claim, int status, String json);

    /** Ends a request that shall be done again when it is sent again; one that has done its work never is. */
    void release(StoreId store, IdempotencyClaim claim);
}
