package farm.gantry.api.link;

import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Queries agents before their store is known, and their link state. */
@JdbcRepository(dialect = Dialect.POSTGRES)
public interface AgentRows extends GenericRepository<AgentRow, String> {
    @Query("select * from farm.agent_by_id(:id)")
    Optional<AgentRow> find(String id);

    @Query("select online, expected from farm.agent_presence()")
    AgentPresence countPresence();

    @Query("select farm.store_of_pairing_code(:code)")
    Optional<String> storeOfPairingCode(String code);

    @Query("""
            insert into farm."pairingCode" ("storeId", code, "expiresAt", "createdBy")
            values (:storeId, :code, now() + :seconds * interval '1 second', :keyId)""")
    void addPairingCode(String storeId, String code, int seconds, String keyId);

    @Query("delete from farm.\"pairingCode\" where \"storeId\" = :storeId and \"expiresAt\" <= now()")
    void removeExpiredPairingCodes(String storeId);

    /** Deletes the code; returns 1 for exactly one caller. */
    @Query("delete from farm.\"pairingCode\" where \"storeId\" = :storeId and code = :code and \"expiresAt\" > now()")
    int takePairingCode(String storeId, String code);

    /** Locks the agent's row and returns the sequence of its last applied event. */
    @Query("select \"ackSequence\" from farm.agent where \"storeId\" = :storeId and id = :id for update")
    Optional<Long> lockAckSequence(String storeId, String id);

    /** Returns whether a person or a program used the store's API within two minutes; uses are recorded once a minute. */
    @Query("""
            select exists (select from farm.session where "storeId" = :storeId and "lastUsedAt" > now() - interval '2 minutes')
            or exists (select from farm."apiKey" where "storeId" = :storeId and "lastUsedAt" > now() - interval '2 minutes')""")
    boolean isStoreUsed(String storeId);

    /** Returns whether one of the agent's printers prints, heats or has a fault, so that a person may have to stop it at once. */
    @Query("""
            select exists (select from farm.printer p join farm."printerState" s
                on s."storeId" = p."storeId" and s."printerId" = p.id
              where p."storeId" = :storeId and p."proxyClientId" = :id
              and (s.state->>'status' in ('preparing', 'printing', 'paused', 'error', 'unknown')
                or exists (select from jsonb_path_query(s.state::jsonb, '$.temperatures.*.target') target where target > '0')))
            or exists (select from farm.printer p join farm."printJob" j
                on j."storeId" = p."storeId" and j."assignedPrinterId" = p.id
              where p."storeId" = :storeId and p."proxyClientId" = :id
              and j.status in ('Sending-to-printer', 'Printing', 'Paused'))""")
    boolean isAnyPrinterActive(String storeId, String id);

    /** Returns the id of the served process; empty if none has sent one. */
    @Query("select instance from farm.agent where \"storeId\" = :storeId and id = :id and instance is not null")
    Optional<String> instance(String storeId, String id);

    /** Stores the served process, and its version unless that is null. */
    @Query("""
            update farm.agent set instance = :instance, version = coalesce(:version, version)
            where "storeId" = :storeId and id = :id""")
    void setInstance(String storeId, String id, String instance, @Nullable String version);

    @Query("""
            update farm.agent set instance = null
            where "storeId" = :storeId and id = :id and instance = :instance""")
    void endInstance(String storeId, String id, String instance);

    /** Returns whether the agent is online and sent something within {@code seconds}. */
    @Query("""
            select "isOnline" and "lastSeenAt" > now() - :seconds * interval '1 second' from farm.agent
            where "storeId" = :storeId and id = :id""")
    boolean isSeenWithin(String storeId, String id, long seconds);

    /** Returns the online agents that sent nothing within {@code seconds}. */
    @Query("""
            select id from farm.agent
            where "storeId" = :storeId and "isOnline" and "lastSeenAt" < now() - :seconds * interval '1 second'""")
    List<String> silentFor(String storeId, long seconds);

    @Query("select not \"isOnline\" from farm.agent where \"storeId\" = :storeId and id = :id")
    boolean isLost(String storeId, String id);

    @Query("""
            update farm.agent set "ackSequence" = :ackSequence, "isOnline" = true, "lastSeenAt" = now()
            where "storeId" = :storeId and id = :id
            and ("ackSequence" <> :ackSequence or not "isOnline" or "lastSeenAt" is null
                 or "lastSeenAt" < now() - interval '5 seconds')""")
    void markSeen(String storeId, String id, long ackSequence);

    @Query("update farm.agent set \"ackSequence\" = :ackSequence where \"storeId\" = :storeId and id = :id")
    void acknowledge(String storeId, String id, long ackSequence);

    /** Replaces the hash of a token with one made with a newer pepper. */
    @Query("""
            update farm.agent set "tokenHash" = :hash
            where "storeId" = :storeId and id = :id and "tokenHash" = :before""")
    int hashAgain(String storeId, String id, String before, String hash);

    /** Stores the fingerprint of the configuration sent to the agent; returns 0 if it is unchanged. */
    @Query("""
            update farm.agent set told = :fingerprint
            where "storeId" = :storeId and id = :id and told is distinct from :fingerprint""")
    int markSent(String storeId, String id, String fingerprint);
}
