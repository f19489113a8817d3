package farm.gantry.api.store;

import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.Optional;

/** The one-machine queue. A message taken is hidden for a while; one not removed by then comes again. */
@JdbcRepository(dialect = Dialect.POSTGRES)
public interface QueueMessages extends GenericRepository<QueueMessage, String> {
    @Query("""
            update farm."queueMessage" m set receives = receives + 1, "visibleAt" = now() + :seconds * interval '1 second'
            where id = (select id from farm."queueMessage" where queue = :queue and "visibleAt" <= now()
                        order by "visibleAt", id limit 1 for update skip locked)
            returning m.id, m.body::text as body, m.receives""")
    Optional<QueueMessage> take(String queue, int seconds);

    @Query("update farm.\"queueMessage\" set \"visibleAt\" = now() + :seconds * interval '1 second' where id = :id")
    void hide(String id, int seconds);

    @Query("delete from farm.\"queueMessage\" where id = :id")
    void remove(String id);

    @Query("update farm.\"queueMessage\" set \"visibleAt\" = now() where queue = :queue")
    void showAll(String queue);
}
