package farm.gantry.api.store;

import farm.gantry.Id;
import farm.gantry.StoreId;
import jakarta.inject.Singleton;

/** Messages that leave with the transaction that caused them. */
@Singleton
public final class Outbox {
    private final Database database;

    Outbox(Database database) {
        this.database = database;
    }

    /** Sends the message when the transaction commits, or not at all. */
    public void add(Tx tx, String queue, String json) {
        tx.update(
                "insert into farm.outbox (\"storeId\", id, queue, body) values (?, ?, ?, ?::json)",
                tx.store().value(),
                Id.next(),
                queue,
                json);
    }

    /** Moves what waits to the queue; a message sent twice keeps its id, so that it stays one. */
    public void relay() {
        for (StoreId store : database.stores("stores_with_outbox")) {
            database.in(store, tx -> tx.update("""
                            with gone as (delete from farm.outbox where "storeId" = ? returning id, queue, body)
                            insert into farm."queueMessage" (id, queue, body) select id, queue, body from gone
                            on conflict (id) do nothing""", store.value()));
        }
    }
}
