package farm.gantry.api.stream;

import farm.gantry.api.database.Database;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Up to which transaction changes were published, and which process publishes them. */
@Singleton
public final class EventPublisherRows {
    private static final String ID = "mqtt";

    private final Database database;

    EventPublisherRows(Database database) {
        this.database = database;
    }

    /** The last published transaction, while the holder has the task for at least that time. */
    public Optional<Long> held(String holder, Duration atLeast) {
        return position(database.texts("""
                select position::text from farm."eventPublisher"
                where id = ? and holder = ? and "heldUntil" > now() + ?::interval""", ID, holder, atLeast.toString()));
    }

    private static Optional<Long> position(List<String> found) {
        return found.stream().findFirst().map(Long::valueOf);
    }

    /**
     * Takes or keeps the task to publish for the time; returns the last published transaction, of a first time
     * {@code start}. Empty while another process has it.
     */
    public Optional<Long> acquire(String holder, Duration time, long start) {
        return position(database.texts("""
                insert into farm."eventPublisher" as held (id, position, holder, "heldUntil")
                values (?, ?::bigint, ?, now() + ?::interval)
                on conflict (id) do update set holder = excluded.holder, "heldUntil" = excluded."heldUntil"
                where held.holder = excluded.holder or held."heldUntil" < now()
                returning position::text""", ID, Long.toString(start), holder, time.toString()));
    }

    /** Whether nothing was published for longer than that. */
    public boolean isOlderThan(Duration age) {
        return !database.texts(
                        "select id from farm.\"eventPublisher\" where id = ? and \"publishedAt\" < now() - ?::interval",
                        ID,
                        age.toString())
                .isEmpty();
    }

    /** Keeps the last published transaction, if the holder still has the task. */
    public void publishedUpTo(String holder, long transaction) {
        database.run("""
                update farm."eventPublisher" set position = ?::bigint, "publishedAt" = now() where id = ? and holder = ?""", Long.toString(transaction), ID, holder);
    }
}
