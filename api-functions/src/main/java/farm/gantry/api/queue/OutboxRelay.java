package farm.gantry.api.queue;

import farm.gantry.CrashPoint;
import farm.gantry.StoreId;
import farm.gantry.api.database.Tx;
import farm.gantry.api.json.JsonCodec;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends requests to the worker's queues through the outbox. */
@Singleton
public final class OutboxRelay {
    private static final Logger LOG = LoggerFactory.getLogger(OutboxRelay.class);
    private static final Duration SWEEP = Duration.ofSeconds(5);

    private final OutboxRows outbox;
    private final OutboxDispatcher dispatch;
    private final JsonCodec json;
    /** True if no loop of this process handles the outbox, because functions do. */
    private final boolean isAlone;

    private final WorkLease lease;
    private final Optional<StoreActivity> activity;

    private final Signal added = new Signal();
    private final Signal queuedSignal = new Signal();

    OutboxRelay(
            OutboxRows outbox,
            OutboxDispatcher dispatch,
            JsonCodec json,
            WorkLease lease,
            Optional<Wakeups> functions,
            Optional<StoreActivity> activity) {
        this.outbox = outbox;
        this.dispatch = dispatch;
        this.json = json;
        this.lease = lease;
        this.isAlone = functions.isPresent();
        this.activity = activity;
    }

    /** Sends the request when the transaction commits. */
    public void send(Tx tx, String queue, Object request) {
        activity.ifPresent(records -> records.touch(tx.store()));
        outbox.add(tx, queue, json.write(request));
        tx.onceAfterCommit(OutboxRelay.class, () -> {
            CrashPoint.reached("requested");
            if (isAlone) {
                relayNow(tx.store());
            } else {
                added.signal();
            }
        });
    }

    /** Sends this store's messages at once, because a caller waits; failures are left to the next sweep. */
    private void relayNow(StoreId store) {
        try {
            onRelayed(dispatch.relay(store));
        } catch (RuntimeException transientFault) {
            LOG.warn("sending outbox messages failed; the next sweep retries", transientFault);
        }
    }

    /** Sends all waiting messages. */
    public void relay() {
        onRelayed(dispatch.relay());
    }

    private void onRelayed(int count) {
        if (count > 0) {
            CrashPoint.reached("relayed");
            queuedSignal.signal();
        }
    }

    /** Signalled when messages were queued by this process; other processes may queue messages too. */
    public Signal queuedSignal() {
        return queuedSignal;
    }

    public WorkLoop start() {
        return WorkLoop.start("outbox", added, SWEEP, lease, this::relay);
    }
}
