package farm.gantry.api.integration;

import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.Optional;

/** Queries integrations before their store is known, and their deliveries. */
@JdbcRepository(dialect = Dialect.POSTGRES)
public interface IntegrationRows extends GenericRepository<IntegrationRow, String> {
    @Query("select * from farm.integration_by_id(:id)")
    Optional<IntegrationRow> find(String id);

    /** Sets a new secret; the previous one stays valid for a number of hours. */
    @Query("""
            update farm.integration
            set "previousSecret" = secret, "previousSecretExpiresAt" = now() + :hours * interval '1 hour', secret = :secret,
                "updatedAt" = greatest(now(), "updatedAt" + interval '1 ms')
            where "storeId" = :storeId and id = :id""")
    void rotate(String storeId, String id, String secret, int hours);

    /**
     * Begins a delivery, unless one with its id was processed; waits for a concurrent one.
     *
     * @return the number of deliveries begun
     */
    @Query("""
            insert into farm."signedDelivery" ("storeId", "integrationId", id) values (:storeId, :integrationId, :id)
            on conflict do nothing""")
    int begin(String storeId, String integrationId, String id);

    @Query("""
            select answer from farm."signedDelivery"
            where "storeId" = :storeId and "integrationId" = :integrationId and id = :id""")
    Optional<String> answer(String storeId, String integrationId, String id);

    @Query("""
            update farm."signedDelivery" set answer = :answer
            where "storeId" = :storeId and "integrationId" = :integrationId and id = :id""")
    void setAnswer(String storeId, String integrationId, String id, String answer);
}
