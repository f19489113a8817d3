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
 * A message queue in the database, for installations on a single machine. A received message is hidden for a time and redelivered unless it
 * is removed. Messages of a group are delivered in order, one at a time. Stores take turns: the one served longest ago by this process is
 * next.
 */
@Singleton
@Requires(missingProperty = "gantry.aws.queue-prefix")
public final class QueueMessageRows implements OutboxDispatcher {
    private static final int MAX_TURNS = 1000;

    private final Database database;
    /** Queue → stores in the order in which they were last served. */
    private final ConcurrentMap<String, SequencedSet<String>> turns = new ConcurrentHashMap<>();

    QueueMessageRows(Database database) {
        this.database = database;
    }

    @Override
    public int relay() {
        return database.findStores("stores_with_outbox").stream()
                .mapToInt(this::relay)
                .sum();
    }

    /** Moves messages within the database. A message keeps its id, so that duplicates are discarded. */
    @Override
    public int relay(StoreId store) {
        return database.in(store, tx -> tx.update("""
                        with gone as (delete from farm.outbox where "storeId" = ? returning id, queue, body)
                        insert into farm."queueMessage" (id, queue, body) select id, queue, body from gone
                        on conflict (id) do nothing""", store.value()));
    }

    /**
     * A received message: {@code body} is JSON, {@code receives} counts deliveries. Once redelivered, this receipt can
     * no longer hide or remove the message.
     */
    public record ReceivedMessage(String id, String body, int receives) {}

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

    /** Takes the oldest message of the next store and hides it for the time. Messages of moved stores stay. */
    public Optional<ReceivedMessage> take(String queue, String consumer, Duration hidden) {
        return database.query(
                """
                update farm."queueMessage" set receives = receives + 1, "takenBy" = ?,
                       "visibleAt" = now() + ? * interval '1 second'
                where id = (select m.id from farm."queueMessage" m where m.queue = ? and m."visibleAt" <= now()
                              and (m."ofStore" is null or m."ofStore" not in (select farm.moved_stores()))
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
                    return Optional.of(new ReceivedMessage(rows.getString(1), rows.getString(2), rows.getInt(3)));
                },
                consumer,
                hidden.toSeconds(),
                queue,
                turns(queue).toArray(String[]::new));
    }

    /** Returns whether any of the queues has messages that are not hidden. */
    boolean isAnyVisible(List<String> queues) {
        return database.query("""
                select exists (select from farm."queueMessage" where queue = any (?) and "visibleAt" <= now()
                  and ("ofStore" is null or "ofStore" not in (select farm.moved_stores())))""", rows -> rows.next() && rows.getBoolean(1), (Object) queues.toArray(String[]::new));
    }

    /** Returns whether any of the queues has messages, hidden or not. */
    public boolean isAny(List<String> queues) {
        return database.query(
                "select exists (select from farm.\"queueMessage\" where queue = any (?))",
                rows -> rows.next() && rows.getBoolean(1),
                (Object) queues.toArray(String[]::new));
    }

    /** Extends the time for which a received message is hidden. */
    public void hide(ReceivedMessage message, Duration hidden) {
        database.run(
                "update farm.\"queueMessage\" set \"visibleAt\" = date_trunc('milliseconds', now()) + ? * interval '1 second'"
                        + " where id = ? and receives = ?",
                hidden.toSeconds(),
                message.id(),
                message.receives());
    }

    public void remove(ReceivedMessage message) {
        database.run(
                "delete from farm.\"queueMessage\" where id = ? and receives = ?", message.id(), message.receives());
    }

    /** Adds a message outside of any transaction; {@code group} is null for unordered messages. */
    public void add(String queue, @Nullable String group, String json) {
        database.run(
                "insert into farm.\"queueMessage\" (id, queue, \"group\", body)"
                        + " values (?, ?, nullif(?, ''), ?::json)",
                Id.next(),
                queue,
                group == null ? "" : group,
                json);
    }

    /** Makes messages taken by a consumer of this name visible again. */
    public void release(String consumer) {
        database.run(
                "update farm.\"queueMessage\" set \"visibleAt\" = date_trunc('milliseconds', now())"
                        + " where \"takenBy\" = ?",
                consumer);
    }
}
