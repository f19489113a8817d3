package farm.gantry.api.store;

import farm.gantry.Id;
import farm.gantry.StoreId;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Tx;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.function.Function;

/** The tenants themselves. */
@Singleton
public final class StoreRows {
    private final Database database;

    StoreRows(Database database) {
        this.database = database;
    }

    public boolean isEmptyInstall() {
        return database.texts("select farm.is_empty_install()::text").contains("true");
    }

    /** Creates a store and, in the same transaction, what {@code furnish} adds to it. */
    public <T> T create(String name, Function<Tx, T> furnish) {
        StoreId store = new StoreId(Id.next());
        return database.in(store, tx -> {
            tx.update("insert into farm.store (\"storeId\", name) values (?, ?)", store.value(), name);
            return furnish.apply(tx);
        });
    }

    /** Works in a store that an operator names; empty when there is none of that id. */
    public <T> Optional<T> inStore(String id, Function<Tx, T> work) {
        return database.in(
                new StoreId(id),
                tx -> tx.texts("select \"storeId\" from farm.store where \"storeId\" = ?", id).stream()
                        .findFirst()
                        .map(_ -> work.apply(tx)));
    }
}
