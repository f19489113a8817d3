package farm.gantry.api.link;

import farm.gantry.StoreId;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Marks of idle agents outside of the database, from which their polls are answered. No method throws: what cannot be
 * read is missing.
 */
public interface AgentMarks {
    /**
     * The last exchange of an idle agent that read the database.
     *
     * @param tokenHash salted hash of the agent's token
     * @param instance process of the agent, null if it sends none
     * @param ackSequence number of the last applied event
     * @param checkedAt time before the database was read
     */
    record Mark(
            String tokenSalt,
            String tokenHash,
            String session,
            long sequence,
            @Nullable String instance,
            long ackSequence,
            Instant checkedAt) {}

    /** An agent's store, whether it is in use, and the agent's mark, null if it has none. */
    record AgentReading(
            StoreId store, boolean isStoreInUse, @Nullable Mark mark) {}

    /** Returns what is recorded of an agent; empty for one that had no mark yet. */
    Optional<AgentReading> read(String agentId);

    /** Returns whether the store is not in use; false if that is not known. */
    boolean isIdle(StoreId store);

    /** Stores the mark of an agent that is idle now. */
    void put(StoreId store, String agentId, Mark mark);

    /** Records that the agent polled; returns whether its mark still exists. */
    boolean markSeen(StoreId store, String agentId);

    /** Returns when the marked agents of the store last polled; empty if that is not known. */
    Optional<Map<String, Instant>> findSeen(StoreId store);
}
