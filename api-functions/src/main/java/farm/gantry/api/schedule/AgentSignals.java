package farm.gantry.api.schedule;

import farm.gantry.StoreId;
import farm.gantry.api.queue.Signal;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Signals that end the long polls of a store's agents. */
@Singleton
public final class AgentSignals {
    private final Map<StoreId, Signal> signals = new ConcurrentHashMap<>();

    public Signal of(StoreId store) {
        return signals.computeIfAbsent(store, _ -> new Signal());
    }
}
