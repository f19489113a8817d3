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

/** One open event stream: waits for and reads the next events. */
final class EventStream {
    private static final String GAP = "{\"message\":\"what came since the last event is not known any more\"}";

    private final Database database;
    private final ChangeRows rows;
    private final ChangeEvents changes;
    private final StreamSettings settings;
    private final Caller caller;
    private final Set<ChangeEvents.Kind> kinds;
    private final Queue<Event<String>> next = new ArrayDeque<>();
    private final AtomicReference<@Nullable StreamPosition> position;
    private final CountDownLatch end = new CountDownLatch(1);

    /** {@code position} is where it goes on, if it does. */
    EventStream(
            Database database,
            ChangeRows rows,
            ChangeEvents changes,
            StreamSettings settings,
            Caller caller,
            Set<ChangeEvents.Kind> kinds,
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
     * The next event, null once the stream is closed. Each look reads the key again, and is refused when that opens the store no
     * longer, or may see less than it is told.
     */
    @Nullable
    Event<String> next() throws InterruptedException {
        long quietUntil = System.nanoTime() + settings.heartbeatInterval().toNanos();
        while (next.isEmpty() && end.getCount() > 0) {
            Caller now = caller.reloaded();
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

    /** Ends the wait for the next event; an interrupt would break the connection of a look that is under way. */
    void close() {
        end.countDown();
    }

    private StreamPosition poll(Tx tx, Instant now) {
        StreamPosition last = position.get();
        long horizon = rows.horizon(tx);
        boolean isGap = last != null && (last.isOlderThan(settings.retention(), now) || last.transaction() >= horizon);
        if (isGap) {
            next.add(Event.of(GAP).name("reset"));
        }
        return last == null || isGap ? begin(tx, StreamPosition.before(horizon, now)) : goOn(tx, last, horizon, now);
    }

    /** Who does not know where it was, or was nowhere yet, is shown all printers first. */
    private StreamPosition begin(Tx tx, StreamPosition here) {
        if (kinds.contains(ChangeEvents.Kind.printerState)) {
            changes.shown(tx).forEach(data -> next.add(Event.of(data).name(ChangeEvents.Kind.printerState.name())));
        }
        next.add(Event.of("{}").name("ready").id(here.toString()));
        return here;
    }

    private StreamPosition goOn(Tx tx, StreamPosition last, long horizon, Instant now) {
        List<ChangeEvents.Told> told = changes.after(tx, last, horizon, kinds, now);
        StreamPosition here = new StreamPosition(last.transaction(), last.move(), now.getEpochSecond());
        for (ChangeEvents.Told each : told) {
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
