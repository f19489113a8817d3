package farm.gantry.api.queue;

import farm.gantry.StoreId;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Stores with a requested scheduling round; where functions run the rounds, these are woken instead. */
@Singleton
public final class PendingStores {
    private final Optional<Wakeups> functions;
    private final Signal due = new Signal();
    private final Set<StoreId> stores = ConcurrentHashMap.newKeySet();
    private final Map<StoreId, Instant> alarms = new ConcurrentHashMap<>();

    PendingStores(Optional<Wakeups> functions) {
        this.functions = functions;
    }

    public void add(StoreId store) {
        if (functions.isPresent()) {
            functions.get().wake(Wakeups.Purpose.SCHEDULE, store);
            return;
        }
        stores.add(store);
        due.signal();
    }

    /** Requests a round for later. */
    public void addAt(StoreId store, Instant at) {
        if (functions.isPresent()) {
            functions.get().wakeAt(Wakeups.Purpose.SCHEDULE, store, at);
            return;
        }
        alarms.merge(store, at, (one, other) -> one.isBefore(other) ? one : other);
    }

    /** Requests rounds that are due. */
    public void addDue(Instant now) {
        alarms.forEach((store, at) -> {
            if (!at.isAfter(now) && alarms.remove(store, at)) {
                stores.add(store);
            }
        });
    }

    public Set<StoreId> stores() {
        return stores;
    }

    public Signal signal() {
        return due;
    }
}
