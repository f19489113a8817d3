package farm.gantry.api.stream;

import farm.gantry.api.database.Database;
import farm.gantry.api.database.Tx;
import farm.gantry.api.security.Caller;
import io.micronaut.http.sse.Event;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** An open event stream that waits for events and reads them. */
final class EventStream {
    private static final String GAP =
            "{\"message\":\"the events since the last received one are no longer available\"}";

    private final Database database;
    private final ChangeRows rows;
    private final ChangeEventReader changes;
    private final StreamSettings settings;
    private final Caller caller;
    private final Set<ChangeEventReader.Kind> kinds;
    private final Queue<Event<String>> next = new ArrayDeque<>();
    private final AtomicReference<@Nullable StreamPosition> position;
    private final CountDownLatch end = new CountDownLatch(1);

    /** Creates a stream; {@code position} is where to resume, or null. */
    EventStream(
            Database database,
            ChangeRows rows,
            ChangeEventReader changes,
            StreamSettings settings,
            Caller caller,
            Set<ChangeEventReader.Kind> kinds,
            @Nullable StreamPosition position) {
        this.database = database;
        this.rows = rows;
        this.changes = changes;
        this.settings = settings;
        this.caller = caller;
        this.kinds = kinds;
        this.position = new AtomicReference<>(position);
    }

    /**
     * Returns the next event, or null once the stream is closed. Every read checks the key again, and throws if the key no longer opens the
     * store or lost a required permission.
     */
    @Nullable
    Event<String> next() throws InterruptedException {
        long quietUntil = System.nanoTime() + settings.heartbeatInterval().toNanos();
        while (next.isEmpty() && end.getCount() > 0) {
            Caller now = caller.reload();
            kinds.forEach(kind -> now.requirePermission(kind.permission));
            position.set(database.in(now.store(), tx -> poll(tx, Instant.now())));
            if (next.isEmpty() && System.nanoTime() > quietUntil) {
                next.add(Event.of("").comment("nothing new").id(String.valueOf(position.get())));
            } else if (next.isEmpty()) {
                end.await(settings.pollInterval().toNanos(), TimeUnit.NANOSECONDS);
            }
        }
        return end.getCount() == 0 ? null : next.remove();
    }

    /** Ends the wait for the next event. An interrupt would break the connection of a running query. */
    void close() {
        end.countDown();
    }

    private StreamPosition poll(Tx tx, Instant now) {
        StreamPosition last = position.get();
        ChangeRows.Horizon horizon = rows.horizon(tx);
        boolean isGap = last != null && (last.isOlderThan(settings.retention(), now) || !last.isKnownAt(horizon));
        if (isGap) {
            next.add(Event.of(GAP).name("reset"));
        }
        return last == null || isGap
                ? startOrResume(tx, StreamPosition.before(horizon, now))
                : readChanges(tx, last, horizon.transaction(), now);
    }

    /** Resumes at the position, or starts with the states of all printers if it is null or no longer available. */
    private StreamPosition startOrResume(Tx tx, StreamPosition here) {
        if (kinds.contains(ChangeEventReader.Kind.printerState)) {
            changes.currentStates(tx)
                    .forEach(data -> next.add(Event.of(data).name(ChangeEventReader.Kind.printerState.name())));
        }
        next.add(Event.of("{}").name("ready").id(here.toString()));
        return here;
    }

    private StreamPosition readChanges(Tx tx, StreamPosition last, long horizon, Instant now) {
        List<ChangeEventReader.ChangeEvent> events = changes.readAfter(tx, last, horizon, kinds, now);
        StreamPosition here = last.next(last.transaction(), last.move(), now.getEpochSecond());
        for (ChangeEventReader.ChangeEvent each : events) {
            Event<String> event = Event.of(each.data()).name(each.kind().name());
            if (each.position() != null) {
                here = each.position();
                event.id(here.toString());
            }
            next.add(event);
        }
        return here;
    }
}
