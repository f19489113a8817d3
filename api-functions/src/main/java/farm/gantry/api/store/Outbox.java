package farm.gantry.api.store;

import farm.gantry.Id;
import farm.gantry.StoreId;
import jakarta.inject.Singleton;

/** The transactional outbox: messages are sent if their transaction commits. */
@Singleton
public final class Outbox {
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

    /**
     * Moves waiting messages to their queues; returns how many. A message keeps its id, so that duplicates collapse.
     */
    public int relay() {
        int relayed = 0;
        for (StoreId store : database.stores("stores_with_outbox")) {
            relayed += database.in(store, tx -> tx.update("""
                            with gone as (delete from farm.outbox where "storeId" = ? returning id, queue, body)
                            insert into farm."queueMessage" (id, queue, body) select id, queue, body from gone
                            on conflict (id) do nothing""", store.value()));
        }
        return relayed;
    }
}
