package farm.gantry.api.queue;

import farm.gantry.CrashPoint;
import farm.gantry.api.store.Outbox;
import farm.gantry.api.store.OutboxDispatch;
import farm.gantry.api.store.Tx;
import io.micronaut.serde.ObjectMapper;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;

/** Sends requests to the worker's queues through the outbox. */
@Singleton
public final class OutboxRelay {
    private static final Duration SWEEP = Duration.ofSeconds(5);

    private final Outbox outbox;
    private final OutboxDispatch dispatch;
    private final ObjectMapper mapper;
    private final Signal added = new Signal();
    private final Signal queued = new Signal();

    OutboxRelay(Outbox outbox, OutboxDispatch dispatch, ObjectMapper mapper) {
        this.outbox = outbox;
        this.dispatch = dispatch;
        this.mapper = mapper;
    }

    /** Sends the request when the transaction commits. */
    public void send(Tx tx, String queue, Object request) {
        try {
            outbox.add(tx, queue, mapper.writeValueAsString(request));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        tx.afterCommit(() -> {
            CrashPoint.reached("requested");
            added.signal();
        });
    }

    /** Signalled when messages were moved to a queue; other processes may add messages too. */
    public Signal queued() {
        return queued;
    }

    public Loop start() {
        return Loop.start("outbox", added, SWEEP, () -> {
            if (dispatch.relay() > 0) {
                CrashPoint.reached("relayed");
                queued.signal();
            }
        });
    }
}
