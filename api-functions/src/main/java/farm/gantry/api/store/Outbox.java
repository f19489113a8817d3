package farm.gantry.api.store;

import farm.gantry.Id;
import farm.gantry.StoreId;
import jakarta.inject.Singleton;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The transactional outbox: messages are sent if their transaction commits. */
@Singleton
public final class Outbox {
    private static final int AT_ONCE = 10;

    private final Database database;

    Outbox(Database database) {
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

    /** A message of a store that waits: its id, the name of its queue, and JSON. */
    public record Message(StoreId store, String id, String queue, String body) {}

    /** Sends messages outside of the database; returns the ids of those that were taken. */
    @FunctionalInterface
    public interface Sender {
        Set<String> send(List<Message> messages);
    }

    /** Sends each waiting message that nobody else is sending, some at a time; returns how many were sent. */
    public int relay(Sender sender) {
        int relayed = 0;
        for (StoreId store : database.stores("stores_with_outbox")) {
            Set<String> tried = new HashSet<>();
            int before;
            do {
                before = tried.size();
                relayed += database.in(store, tx -> relay(tx, sender, tried));
            } while (tried.size() > before);
        }
        return relayed;
    }

    private static int relay(Tx tx, Sender sender, Set<String> tried) {
        List<Message> waiting = tx.list(
                """
                select id, queue, body::text from farm.outbox where "storeId" = ? and id <> all(?)
                order by id limit ? for update skip locked""",
                rows -> new Message(tx.store(), rows.getString(1), rows.getString(2), rows.getString(3)),
                tx.store().value(),
                tried.toArray(String[]::new),
                AT_ONCE);
        waiting.forEach(message -> tried.add(message.id()));
        return tx.update(
                "delete from farm.outbox where \"storeId\" = ? and id = any(?)",
                tx.store().value(),
                sender.send(waiting).toArray(String[]::new));
    }
}
