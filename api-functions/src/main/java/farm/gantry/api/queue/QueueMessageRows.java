package farm.gantry.api.queue;

import farm.gantry.Id;
import farm.gantry.StoreId;
import farm.gantry.api.database.Database;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The one-machine queue. A message taken is hidden for a while; one not removed by then comes again, to whoever asks
 * next. Messages of a group are taken one after another, in the order they were added. Of several stores, that goes first
 * whose turn was longest ago, as far as this process has taken them.
 */
@Singleton
@Requires(missingProperty = "gantry.aws.queue-prefix")
public final class QueueMessageRows implements OutboxDispatch {
    private static final int MAX_TURNS = 1000;

    private final Database database;
    /** Queue → the stores of the messages taken, the latest last. */
    private final ConcurrentMap<String, SequencedSet<String>> turns = new ConcurrentHashMap<>();

    QueueMessageRows(Database database) {
        this.database = database;
    }

    @Override
    public int relay() {
        return database.stores("stores_with_outbox").stream()
                .mapToInt(this::relay)
                .sum();
    }

    /** Moves messages within the database. A message keeps its id, so that duplicates collapse. */
    @Override
    public int relay(StoreId store) {
        return database.in(store, tx -> tx.update("""
                        with gone as (delete from farm.outbox where "storeId" = ? returning id, queue, body)
                        insert into farm."queueMessage" (id, queue, body) select id, queue, body from gone
                        on conflict (id) do nothing""", store.value()));
    }

    /**
     * A message taken: {@code body} is JSON, {@code receives} counts how often it was taken. Once it was taken again, this
     * is worth nothing: it neither hides nor removes the message any more.
     */
    public record Taken(String id, String body, int receives) {}

    private List<String> turns(String queue) {
        SequencedSet<String> known = turns.computeIfAbsent(queue, _ -> new LinkedHashSet<>());
        synchronized (known) {
            return List.copyOf(known);
        }
    }

    private void turn(String queue, @Nullable String store) {
        SequencedSet<String> known = turns.computeIfAbsent(queue, _ -> new LinkedHashSet<>());
        synchronized (known) {
            if (store != null) {
                known.addLast(store);
            }
            if (known.size() > MAX_TURNS) {
                known.removeFirst();
            }
        }
    }

    /** Takes the oldest message of the store whose turn it is and hides it for the time. */
    public Optional<Taken> take(String queue, String consumer, Duration hidden) {
        return database.query(
                """
                update farm."queueMessage" set receives = receives + 1, "takenBy" = ?,
                       "visibleAt" = now() + ? * interval '1 second'
                where id = (select m.id from farm."queueMessage" m where m.queue = ? and m."visibleAt" <= now()
                              and not exists (select from farm."queueMessage" earlier
                                              where earlier."group" = m."group" and earlier.number < m.number)
                            order by array_position(?::text[], m."ofStore") nulls first, m.number
                            limit 1 for update skip locked)
                returning id, body::text, receives, "ofStore\"""",
                rows -> {
                    if (!rows.next()) {
                        return Optional.empty();
                    }
                    turn(queue, rows.getString(4));
                    return Optional.of(new Taken(rows.getString(1), rows.getString(2), rows.getInt(3)));
                },
                consumer,
                hidden.toSeconds(),
                queue,
                turns(queue).toArray(String[]::new));
    }

    /** Whether any of the queues has messages, hidden or not. */
    public boolean isAny(List<String> queues) {
        return database.query(
                "select exists (select from farm.\"queueMessage\" where queue = any (?))",
                rows -> rows.next() && rows.getBoolean(1),
                (Object) queues.toArray(String[]::new));
    }

    /** Extends the time that a taken message is hidden. */
    public void hide(Taken message, Duration hidden) {
        database.run(
                "update farm.\"queueMessage\" set \"visibleAt\" = date_trunc('milliseconds', now()) + ? * interval '1 second'"
                        + " where id = ? and receives = ?",
                hidden.toSeconds(),
                message.id(),
                message.receives());
    }

    public void remove(Taken message) {
        database.run(
                "delete from farm.\"queueMessage\" where id = ? and receives = ?", message.id(), message.receives());
    }

    /** Adds a message outside of any transaction; {@code group} is null if order does not matter. */
    public void add(String queue, @Nullable String group, String json) {
        database.run(
                "insert into farm.\"queueMessage\" (id, queue, \"group\", body)"
                        + " values (?, ?, nullif(?, ''), ?::json)",
                Id.next(),
                queue,
                group == null ? "" : group,
                json);
    }

    /** Makes visible again what a consumer of this name had taken. */
    public void release(String consumer) {
        database.run(
                "update farm.\"queueMessage\" set \"visibleAt\" = date_trunc('milliseconds', now())"
                        + " where \"takenBy\" = ?",
                consumer);
    }
}
