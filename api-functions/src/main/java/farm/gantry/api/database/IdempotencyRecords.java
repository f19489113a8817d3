package farm.gantry.api.database;

import farm.gantry.StoreId;
import farm.gantry.api.security.IdempotencyClaim;

/** Requests by their idempotency keys, kept for 24 hours. */
public interface IdempotencyRecords {
    /** The state of the earlier request with the key. */
    sealed interface Outcome {
        /** There was no earlier request: this one has the claim. */
        record Claimed(IdempotencyClaim claim) implements Outcome {}

        record ResponseStored(int status, String json) implements Outcome {}

        /** The earlier request was a different one. */
        record KeyReused() implements Outcome {}

        record InProgress() implements Outcome {}

        /** The earlier request did its work, but ended before its response was stored. */
        record ResponseLost() implements Outcome {}
    }

    /** Claims the key for a request, unless another request has it. {@code id} and {@code request} are hashes. */
    Outcome claim(StoreId store, String id, String request);

    /** Stores the response to replay from now on. */
    void storeResponse(StoreId store, IdempotencyClaim claim, int status, String json);

    /** Ends a request that must run again when it is repeated; has no effect once it has done its work. */
    void release(StoreId store, IdempotencyClaim claim);
}
