package farm.gantry.api.database;

import farm.gantry.StoreId;
import farm.gantry.api.security.IdempotencyClaim;
import java.util.List;

/** Stores requests by idempotency key for 24 hours. */
public interface IdempotencyRecords {
    /** The state of the earlier request with the key. */
    sealed interface Outcome {
        /** There was no earlier request, so this one has the claim. */
        record Claimed(IdempotencyClaim claim) implements Outcome {}

        record ResponseStored(int status, String json) implements Outcome {}

        /** The earlier request was a different one. */
        record KeyReused() implements Outcome {}

        record InProgress() implements Outcome {}

        /** The earlier request did its work, but ended before its response was stored. */
        record ResponseLost() implements Outcome {}
    }

    /** The hashes of a key and of its request. */
    record HashedKey(String id, String request) {}

    /**
     * Claims the key for a request, unless another request has it.
     *
     * @param hashes the key hashed with each pepper; the first is used unless a request with another one is stored
     */
    Outcome claim(StoreId store, List<HashedKey> hashes);

    /** Stores the response to replay from now on. */
    void storeResponse(StoreId store, IdempotencyClaim claim, int status, String json);

    /** Ends a request that must run again when it is repeated; has no effect once it has done its work. */
    void release(StoreId store, IdempotencyClaim claim);
}
