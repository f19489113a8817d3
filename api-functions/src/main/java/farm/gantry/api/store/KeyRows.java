package farm.gantry.api.store;

import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.Optional;

/** Keys before their store is known. */
@JdbcRepository(dialect = Dialect.POSTGRES)
public interface KeyRows extends GenericRepository<KeyRow, String> {
    @Query("select * from farm.key_by_id(:id)")
    Optional<KeyRow> find(String id);

    @Query("update farm.\"apiKey\" set \"lastUsedAt\" = now() where \"storeId\" = :storeId and id = :id")
    void used(String storeId, String id);
}
