package farm.gantry.api.schedule;

import farm.gantry.StoreId;
import farm.gantry.api.queue.Signal;
import jakarta.inject.Singleton;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The stores for which a scheduling round was requested. */
@Singleton
final class PendingStores {
    private final Signal due = new Signal();
    private final Set<StoreId> stores = ConcurrentHashMap.newKeySet();

    void add(StoreId store) {
        stores.add(store);
        due.signal();
    }

    Set<StoreId> stores() {
        return stores;
    }

    Signal signal() {
        return due;
    }
}
