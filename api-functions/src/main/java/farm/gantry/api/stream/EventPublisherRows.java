package farm.gantry.api.stream;

import farm.gantry.api.database.Database;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Stores the last published transaction and the lease of each kind of publisher, of which one process runs at a time. */
@Singleton
public final class EventPublisherRows {
    /** Pause before asking again for a lease that another process has. */
    private static final Duration RETRY_DELAY = Duration.ofSeconds(5);

    private final Database database;
    /** The end of the pause of each lease, by {@link System#nanoTime}. */
    private final Map<String, Long> pausedUntil = new ConcurrentHashMap<>();

    EventPublisherRows(Database database) {
        this.database = database;
    }

    /** Returns whether another process had the lease a moment ago, so that it is not worth asking. */
    public boolean isHeldElsewhere(String id) {
        Long until = pausedUntil.get(id);
        return until != null && System.nanoTime() - until < 0;
    }

    /** Returns the last published transaction if the holder keeps the lease for at least that time. */
    public Optional<Long> findPosition(String id, String holder, Duration atLeast) {
        return position(database.texts("""
                select position::text from farm."eventPublisher"
                where id = ? and holder = ? and "heldUntil" > now() + ?::interval""", id, holder, atLeast.toString()));
    }

    private static Optional<Long> position(List<String> found) {
        return found.stream().findFirst().map(Long::valueOf);
    }

    /**
     * Takes or renews the lease to publish; returns the last published transaction, initially {@code start}. Empty
     * while another process holds the lease.
     */
    public Optional<Long> acquire(String id, String holder, Duration time, long start) {
        Optional<Long> acquired = position(database.texts("""
                insert into farm."eventPublisher" as held (id, position, holder, "heldUntil")
                values (?, ?::bigint, ?, now() + ?::interval)
                on conflict (id) do update set holder = excluded.holder, "heldUntil" = excluded."heldUntil"
                where held.holder = excluded.holder or held."heldUntil" < now()
                returning position::text""", id, Long.toString(start), holder, time.toString()));
        if (acquired.isEmpty()) {
            pausedUntil.put(id, System.nanoTime() + RETRY_DELAY.toNanos());
        }
        return acquired;
    }

    /** Returns whether nothing was published for longer than the duration. */
    public boolean isOlderThan(String id, Duration age) {
        return !database.texts(
                        "select id from farm.\"eventPublisher\" where id = ? and \"publishedAt\" < now() - ?::interval",
                        id,
                        age.toString())
                .isEmpty();
    }

    /** Stores the last published transaction, if the holder still has the lease. */
    public void savePosition(String id, String holder, long transaction) {
        database.run("""
                update farm."eventPublisher" set position = ?::bigint, "publishedAt" = now() where id = ? and holder = ?""", Long.toString(transaction), id, holder);
    }

    /** Ends the holder's lease, so that another process need not wait for its end. */
    public void release(String id, String holder) {
        database.run(
                "update farm.\"eventPublisher\" set \"heldUntil\" = now() where id = ? and holder = ?", id, holder);
    }
}
