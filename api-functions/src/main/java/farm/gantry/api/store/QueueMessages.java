package farm.gantry.api.store;

import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;

/** The one-machine queue. A message taken is hidden for a while; one not removed by then comes again. */
@Singleton
public final class QueueMessages {
    private final Database database;

    QueueMessages(Database database) {
        this.database = database;
    }

    /** A message taken: {@code body} is JSON, {@code receives} counts how often it was taken. */
    public record Taken(String id, String body, int receives) {}

    /** Takes the message that waits longest and hides it for the time. */
    public Optional<Taken> take(String queue, Duration hidden) {
        return database.query(
                """
                update farm."queueMessage" set receives = receives + 1, "visibleAt" = now() + ? * interval '1 second'
                where id = (select id from farm."queueMessage" where queue = ? and "visibleAt" <= now()
                            order by "visibleAt", id limit 1 for update skip locked)
                returning id, body::text, receives""",
                rows -> rows.next()
                        ? Optional.of(new Taken(rows.getString(1), rows.getString(2), rows.getInt(3)))
                        : Optional.empty(),
                hidden.toSeconds(),
                queue);
    }

    /** Hides a taken message for longer. */
    public void hide(String id, Duration hidden) {
        database.run(
                "update farm.\"queueMessage\" set \"visibleAt\" = now() + ? * interval '1 second' where id = ?",
                hidden.toSeconds(),
                id);
    }

    public void remove(String id) {
        database.run("delete from farm.\"queueMessage\" where id = ?", id);
    }

    /** Gives back what a killed consumer had taken: for the only consumer, when it starts. */
    public void showAll(String queue) {
        database.run("update farm.\"queueMessage\" set \"visibleAt\" = now() where queue = ?", queue);
    }
}
