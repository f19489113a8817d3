package farm.gantry.api.queue;

import farm.gantry.Id;
import farm.gantry.StoreId;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Tx;
import jakarta.inject.Singleton;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The transactional outbox: messages are sent if their transaction commits. */
@Singleton
public final class OutboxRows {
    private static final Logger LOG = LoggerFactory.getLogger(OutboxRows.class);
    private static final int AT_ONCE = 10;

    private final Database database;

    OutboxRows(Database database) {
        this.database = database;
    }

    /** Sends the message on commit. */
    public void add(Tx tx, String queue, String json) {
        tx.update(
                "insert into farm.outbox (\"storeId\", id, queue, body) values (?, ?, ?, ?::json)",
                tx.store().value(),
                Id.next(),
                queue,
                json);
    }

    /** A waiting message of a store; {@code body} is JSON. */
    public record Message(StoreId store, String id, String queue, String body) {}

    /** Sends messages outside of the database. */
    public interface Sender {
        Outcome send(List<Message> messages);

        /**
         * Fails the work of a message that was rejected for good. Not called in a transaction; may be called more than
         * once.
         */
        void fail(Message message, String reason);
    }

    /**
     * The ids of sent messages, and of rejected ones with the reason. All others wait; if {@code isReachable} is false,
     * so do those not tried yet.
     */
    public record Outcome(Set<String> sent, Map<String, String> refused, boolean isReachable) {}

    /** The number of sent messages, and whether it is worth sending more. */
    private record RelayResult(int count, boolean isReachable) {}

    /** Sends waiting messages, in batches, that no other process is sending; returns how many were sent. */
    public int relay(Sender sender) {
        int count = 0;
        for (StoreId store : database.findStores("stores_with_outbox")) {
            RelayResult relayed = relayAll(store, sender);
            count += relayed.count();
            if (!relayed.isReachable()) {
                break;
            }
        }
        return count;
    }

    /** Sends the waiting messages of one store. */
    public int relay(StoreId store, Sender sender) {
        return relayAll(store, sender).count();
    }

    private RelayResult relayAll(StoreId store, Sender sender) {
        Set<String> tried = new HashSet<>();
        int count = 0;
        while (true) {
            int before = tried.size();
            Map<Message, String> refused = new LinkedHashMap<>();
            RelayResult relayed = database.in(store, tx -> relay(tx, sender, tried, refused));
            refused.forEach((message, reason) -> fail(sender, message, reason));
            count += relayed.count();
            if (!relayed.isReachable() || tried.size() == before) {
                return new RelayResult(count, relayed.isReachable());
            }
        }
    }

    private static RelayResult relay(Tx tx, Sender sender, Set<String> tried, Map<Message, String> refused) {
        List<Message> waiting = tx.list(
                """
                select id, queue, body::text from farm.outbox where "storeId" = ? and id <> all(?)
                order by id limit ? for update skip locked""",
                rows -> new Message(tx.store(), rows.getString(1), rows.getString(2), rows.getString(3)),
                tx.store().value(),
                tried.toArray(String[]::new),
                AT_ONCE);
        waiting.forEach(message -> tried.add(message.id()));
        Outcome outcome = sender.send(waiting);
        waiting.forEach(message -> {
            String reason = outcome.refused().get(message.id());
            if (reason != null) {
                refused.put(message, reason);
            }
        });
        return new RelayResult(delete(tx, outcome.sent()), outcome.isReachable());
    }

    /**
     * Fails the message's work before deleting it, so that the work does not wait forever if this process dies in
     * between.
     */
    private void fail(Sender sender, Message message, String reason) {
        LOG.error(
                "message {} for queue {} was rejected and is deleted; its job or part is marked as failed: {}",
                message.id(),
                message.queue(),
                reason);
        try {
            sender.fail(message, reason);
            database.in(message.store(), tx -> delete(tx, Set.of(message.id())));
        } catch (RuntimeException transientFault) {
            LOG.warn(
                    "failing the work of rejected message {} failed; the next round retries",
                    message.id(),
                    transientFault);
        }
    }

    private static int delete(Tx tx, Set<String> ids) {
        return tx.update(
                "delete from farm.outbox where \"storeId\" = ? and id = any(?)",
                tx.store().value(),
                ids.toArray(String[]::new));
    }
}
