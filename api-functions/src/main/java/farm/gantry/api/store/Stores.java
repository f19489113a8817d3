package farm.gantry.api.store;

import farm.gantry.Id;
import farm.gantry.StoreId;
import jakarta.inject.Singleton;

/** The tenants themselves. */
@Singleton
public final class Stores {
    private final Database database;

    Stores(Database database) {
        this.database = database;
    }

    public boolean isEmptyInstall() {
        return database.texts("select farm.is_empty_install()::text").contains("true");
    }

    public StoreId create(String name) {
        StoreId store = new StoreId(Id.next());
        database.in(
                store,
                tx -> tx.update("insert into farm.store (\"storeId\", name) values (?, ?)", store.value(), name));
        return store;
    }
}
