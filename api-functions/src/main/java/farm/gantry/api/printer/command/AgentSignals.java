package farm.gantry.api.printer.command;

import farm.gantry.StoreId;
import farm.gantry.api.database.Database;
import farm.gantry.api.queue.Signal;
import farm.gantry.api.queue.StoreActivity;
import farm.gantry.api.queue.WorkLoop;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Signals that end the long polls of a store's agents, in every process that serves the database. */
@Singleton
public final class AgentSignals {
    private static final Logger LOG = LoggerFactory.getLogger(AgentSignals.class);
    private static final Duration RECONNECT_DELAY = Duration.ofSeconds(1);

    private final Optional<AgentNotificationRows> notices;
    private final Optional<StoreActivity> activity;
    private final Map<StoreId, Signal> signals = new ConcurrentHashMap<>();
    private final AtomicBoolean isStopping = new AtomicBoolean();

    AgentSignals(Optional<AgentNotificationRows> notices, Optional<StoreActivity> activity) {
        this.notices = notices;
        this.activity = activity;
    }

    /** Returns the signal that the store's long polls in this process wait on. */
    public Signal signalOf(StoreId store) {
        return signals.computeIfAbsent(store, _ -> new Signal());
    }

    /** Ends the store's long polls. If other processes cannot be notified, their long polls end by timeout. */
    public void signal(StoreId store) {
        activity.ifPresent(records -> records.touch(store));
        signalOf(store).signal();
        notices.ifPresent(others -> {
            try {
                others.notifyProcesses(store);
            } catch (RuntimeException e) {
                if (!Database.isDatabaseFailure(e)) {
                    throw e;
                }
                LOG.warn(
                        "cannot notify other processes of commands for store {}; agents connected to them get the commands at their next poll",
                        store,
                        e);
            }
        });
    }

    /** Starts listening for notifications if other processes share the database. */
    public List<WorkLoop> start() {
        return notices
                .map(others -> WorkLoop.start(
                        "agent-notices",
                        new Signal(),
                        RECONNECT_DELAY,
                        () -> others.listen(
                                this::signalAll, store -> signalOf(store).signal())))
                .stream()
                .toList();
    }

    /** Whether this process is stopping; long polls must then return at once. */
    public boolean isStopping() {
        return isStopping.get();
    }

    /** Ends all current and future long polls. */
    public void endAll() {
        isStopping.set(true);
        signalAll();
    }

    private void signalAll() {
        signals.values().forEach(Signal::signal);
    }
}
