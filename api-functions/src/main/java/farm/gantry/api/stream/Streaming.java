package farm.gantry.api.stream;

import farm.gantry.api.security.Caller;
import farm.gantry.api.store.ChangeRows;
import farm.gantry.api.store.Database;
import farm.gantry.api.store.Tx;
import io.micronaut.http.sse.Event;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** One open stream: what it tells next, waited for where there is nothing yet. */
final class Streaming {
    private static final String GAP = "{\"message\":\"what came since the last event is not known any more\"}";

    private final Database database;
    private final ChangeRows rows;
    private final Changes changes;
    private final StreamSettings settings;
    private final Caller caller;
    private final Set<Changes.Kind> kinds;
    private final Queue<Event<String>> next = new ArrayDeque<>();
    private final AtomicReference<@Nullable Position> position;

    /** {@code position} is where it goes on, if it does. */
    Streaming(
            Database database,
            ChangeRows rows,
            Changes changes,
            StreamSettings settings,
            Caller caller,
            Set<Changes.Kind> kinds,
            @Nullable Position position) {
        this.database = database;
        this.rows = rows;
        this.changes = changes;
        this.settings = settings;
        this.caller = caller;
        this.kinds = kinds;
        this.position = new AtomicReference<>(position);
    }

    /** Each look reads the key again, and is refused when that opens the store no longer. */
    Event<String> next() throws InterruptedException {
        long quietUntil = System.nanoTime() + settings.quiet().toNanos();
        while (next.isEmpty()) {
            position.set(database.in(caller.reloaded().store(), tx -> look(tx, Instant.now())));
            if (next.isEmpty() && System.nanoTime() > quietUntil) {
                next.add(Event.of("").comment("nothing new").id(String.valueOf(position.get())));
            } else if (next.isEmpty()) {
                Thread.sleep(settings.lookEvery());
            }
        }
        return next.remove();
    }

    private Position look(Tx tx, Instant now) {
        Position last = position.get();
        long horizon = rows.horizon(tx);
        boolean isGap = last != null && (last.isOlderThan(settings.memory(), now) || last.transaction() >= horizon);
        if (isGap) {
            next.add(Event.of(GAP).name("reset"));
        }
        return last == null || isGap ? begin(tx, Position.before(horizon, now)) : goOn(tx, last, horizon, now);
    }

    /** Who does not know where it was, or was nowhere yet, is shown all printers first. */
    private Position begin(Tx tx, Position here) {
        if (kinds.contains(Changes.Kind.printerState)) {
            changes.shown(tx).forEach(data -> next.add(Event.of(data).name(Changes.Kind.printerState.name())));
        }
        next.add(Event.of("{}").name("ready").id(here.toString()));
        return here;
    }

    private Position goOn(Tx tx, Position last, long horizon, Instant now) {
        List<Changes.Told> told = changes.after(tx, last, horizon, kinds, now);
        Position here = new Position(last.transaction(), last.move(), now.getEpochSecond());
        for (Changes.Told each : told) {
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
