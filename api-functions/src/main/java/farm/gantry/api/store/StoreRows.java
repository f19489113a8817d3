package farm.gantry.api.store;

import farm.gantry.Id;
import farm.gantry.StoreId;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Tx;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.function.Function;

/** Creates and opens stores (tenants). */
@Singleton
public final class StoreRows {
    private final Database database;

    StoreRows(Database database) {
        this.database = database;
    }

    public boolean isEmptyInstall() {
        return database.texts("select farm.is_empty_install()::text").contains("true");
    }

    /** Creates a store and the records that {@code furnish} adds to it, in one transaction. */
    public <T> T create(String name, Function<Tx, T> furnish) {
        StoreId store = new StoreId(Id.next());
        return database.in(store, tx -> {
            tx.update("insert into farm.store (\"storeId\", name) values (?, ?)", store.value(), name);
            return furnish.apply(tx);
        });
    }

    /** Runs the work in the store with this id; empty if there is none. */
    public <T> Optional<T> inStore(String id, Function<Tx, T> work) {
        return database.in(
                new StoreId(id),
                tx -> tx.texts("select \"storeId\" from farm.store where \"storeId\" = ?", id).stream()
                        .findFirst()
                        .map(_ -> work.apply(tx)));
    }
}
