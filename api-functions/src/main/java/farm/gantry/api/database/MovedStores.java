package farm.gantry.api.database;

import farm.gantry.StoreId;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Marks of stores that move to another installation. From the mark on, no transaction of this installation enters the store,
 * so that its printers are served in one place at most.
 */
@Singleton
public final class MovedStores {
    private static final Duration CHECK_INTERVAL = Duration.ofMillis(20);

    private final Database database;

    MovedStores(Database database) {
        this.database = database;
    }

    /**
     * Marks the store, and waits until all transactions that entered it earlier have ended. Can be repeated until the new
     * address is announced.
     */
    public StoreId begin(String storeId, Duration timeout) throws InterruptedException {
        StoreId store = new StoreId(storeId);
        Optional<String> address = mark(store);
        if (address.isPresent()) {
            throw new IllegalStateException("the store " + store + " is at " + address.get() + " already");
        }
        awaitOpenTransactions(timeout);
        return store;
    }

    /** Marks the store, and returns its new address if it was announced. */
    private Optional<String> mark(StoreId store) {
        return database.inMoved(store, tx -> {
            if (tx.texts("select name from farm.store where \"storeId\" = ?", store.value())
                    .isEmpty()) {
                throw new IllegalArgumentException("there is no store " + store);
            }
            tx.update("insert into farm.\"movedStore\" (\"storeId\") values (?) on conflict do nothing", store.value());
            return findAddress(tx);
        });
    }

    private static Optional<String> findAddress(Tx tx) {
        return tx.first(
                "select address from farm.\"movedStore\" where \"storeId\" = ?",
                row -> row.getString(1),
                tx.store().value());
    }

    /**
     * Waits for the transactions that are open now, of all stores, because a transaction that began before the mark may enter
     * the store without it.
     */
    private void awaitOpenTransactions(Duration timeout) throws InterruptedException {
        long end = System.nanoTime() + timeout.toNanos();
        Set<String> open = new HashSet<>(openTransactions());
        while (!open.isEmpty()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException(open.size() + " transactions of the API have not ended within "
                        + timeout.toSeconds() + " s; repeat the export");
            }
            Thread.sleep(CHECK_INTERVAL);
            open.retainAll(openTransactions());
        }
    }

    private Set<String> openTransactions() {
        return Set.copyOf(database.texts("select * from farm.open_transactions()"));
    }

    /** Announces the address at which the store is now: requests and agents are sent there. */
    public void announce(String storeId, String address) {
        StoreId store = new StoreId(storeId);
        int changed = database.inMoved(
                store,
                tx -> tx.update(
                        "update farm.\"movedStore\" set address = ? where \"storeId\" = ?", address, store.value()));
        if (changed == 0) {
            throw new IllegalStateException("the store " + store + " was not exported from here: export it first");
        }
    }

    /** Serves the store here again. */
    public void undo(String store) {
        database.inMoved(new StoreId(store), tx -> {
            findAddress(tx).ifPresent(address -> {
                throw new IllegalStateException(
                        "its agents were told that the store is at " + address + ": it cannot be served here again");
            });
            if (tx.update("delete from farm.\"movedStore\" where \"storeId\" = ?", store) == 0) {
                throw new IllegalStateException("the store " + store + " is served here; there is nothing to undo");
            }
            return store;
        });
    }
}
