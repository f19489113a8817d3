package farm.gantry.api.printer.command;

import farm.gantry.StoreId;
import farm.gantry.api.database.Database;
import farm.gantry.api.queue.Loop;
import farm.gantry.api.queue.Signal;
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
    private static final Duration LISTEN_AGAIN = Duration.ofSeconds(1);

    private final Optional<AgentNoticeRows> notices;
    private final Map<StoreId, Signal> signals = new ConcurrentHashMap<>();
    private final AtomicBoolean isStopping = new AtomicBoolean();

    AgentSignals(Optional<AgentNoticeRows> notices) {
        this.notices = notices;
    }

    /** What the long polls of this process wait on. */
    public Signal of(StoreId store) {
        return signals.computeIfAbsent(store, _ -> new Signal());
    }

    /** Ends the store's long polls; those of other processes that cannot be told end by their time. */
    public void signal(StoreId store) {
        of(store).signal();
        notices.ifPresent(others -> {
            try {
                others.tell(store);
            } catch (RuntimeException e) {
                if (!Database.isBehind(e)) {
                    throw e;
                }
                LOG.warn("agents of store {} at other processes hear later of their commands", store, e);
            }
        });
    }

    /** Starts listening to the other processes, if there are others. */
    public List<Loop> start() {
        return notices
                .map(others -> Loop.start(
                        "agent-notices",
                        new Signal(),
                        LISTEN_AGAIN,
                        () -> others.listen(this::signalAll, store -> of(store).signal())))
                .stream()
                .toList();
    }

    /** Whether this process ends, so that no agent is to be kept waiting. */
    public boolean isStopping() {
        return isStopping.get();
    }

    /** Ends all long polls, those to come too. */
    public void end() {
        isStopping.set(true);
        signalAll();
    }

    private void signalAll() {
        signals.values().forEach(Signal::signal);
    }
}
