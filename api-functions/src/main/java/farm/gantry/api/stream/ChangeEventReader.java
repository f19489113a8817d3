package farm.gantry.api.stream;

import farm.gantry.Permission;
import farm.gantry.api.database.Tx;
import farm.gantry.api.json.JsonCodec;
import farm.gantry.api.printer.readiness.CurrentStates;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the change events of a store after a position: printers, jobs, parts, orders and notification channels. */
@Singleton
final class ChangeEventReader {
    /** The kinds of events; the constants are the wire names. */
    enum Kind {
        printerState(Permission.PRINTER_VIEW),
        jobMoved(Permission.QUEUE_VIEW),
        channelChanged(Permission.SETTINGS_VIEW),
        partChanged(Permission.PART_VIEW),
        orderChanged(Permission.ORDER_VIEW);

        /** The permission to receive the events. */
        final Permission permission;

        Kind(Permission permission) {
            this.permission = permission;
        }
    }

    /**
     * An event for subscribers. An interrupted stream resumes at {@code position}, null if it cannot resume there. {@code topic} is its
     * MQTT topic.
     */
    record ChangeEvent(
            Kind kind, String topic, String data, @Nullable StreamPosition position) {}

    /** A change, in stream order: by transaction and, within it, printers and channels before jobs and records. */
    private record Change(long transaction, long move, Kind kind, String topic, String data) {
        boolean isWith(Change other) {
            return transaction == other.transaction && move == other.move;
        }
    }

    private static final Comparator<Change> ORDER =
            Comparator.comparingLong(Change::transaction).thenComparingLong(Change::move);
    private static final int MAX_NUMBERED = 1000;
    private static final Map<String, Kind> RECORDS = Map.of("part", Kind.partChanged, "order", Kind.orderChanged);

    private final ChangeRows rows;
    private final CurrentStates states;
    private final JsonCodec json;

    ChangeEventReader(ChangeRows rows, CurrentStates states, JsonCodec json) {
        this.rows = rows;
        this.states = states;
        this.json = json;
    }

    /** Returns the current states of all printers that have ever reported. */
    List<String> currentStates(Tx tx) {
        return printerStateChanges(tx, rows.printers(tx, 0, Long.MAX_VALUE)).stream()
                .map(Change::data)
                .toList();
    }

    /** Returns the events after the position and before the horizon, oldest first, limited to a batch. */
    List<ChangeEvent> readAfter(Tx tx, StreamPosition position, long horizon, Set<Kind> kinds, Instant now) {
        List<List<Change>> logs =
                List.of(jobMoves(tx, position, horizon, kinds), recordChanges(tx, position, horizon, kinds));
        List<Change> changes = new ArrayList<>();
        logs.forEach(changes::addAll);
        // If one query reached its limit, later changes of the other are left to the next read.
        Optional<Change> last = logs.stream()
                .filter(log -> log.size() == MAX_NUMBERED)
                .map(List::getLast)
                .min(ORDER);
        last.ifPresent(known -> changes.removeIf(change -> ORDER.compare(change, known) > 0));
        long end = last.map(known -> known.transaction() + 1).orElse(horizon);
        if (kinds.contains(Kind.printerState)) {
            changes.addAll(printerStateChanges(tx, rows.printers(tx, position.transaction(), end)));
        }
        if (kinds.contains(Kind.channelChanged)) {
            rows.channels(tx, position.transaction(), end)
                    .forEach(channel -> changes.add(new Change(
                            channel.transaction(),
                            0,
                            Kind.channelChanged,
                            "entities/notificationSetting/" + channel.changed().channel(),
                            json.write(channel.changed()))));
        }
        changes.sort(ORDER);
        List<ChangeEvent> events = new ArrayList<>();
        for (int i = 0; i < changes.size(); i++) {
            Change change = changes.get(i);
            boolean isHalf = i + 1 < changes.size() && changes.get(i + 1).isWith(change);
            StreamPosition here = position.next(change.transaction(), change.move(), now.getEpochSecond());
            events.add(new ChangeEvent(change.kind(), change.topic(), change.data(), isHalf ? null : here));
        }
        return events;
    }

    private List<Change> jobMoves(Tx tx, StreamPosition position, long horizon, Set<Kind> kinds) {
        if (!kinds.contains(Kind.jobMoved)) {
            return List.of();
        }
        return rows.jobMoves(tx, position.transaction(), position.move(), horizon, MAX_NUMBERED).stream()
                .map(move -> new Change(
                        move.transaction(),
                        move.number(),
                        Kind.jobMoved,
                        "entities/printJob/" + move.moved().printJobId(),
                        json.write(move.moved())))
                .toList();
    }

    private List<Change> recordChanges(Tx tx, StreamPosition position, long horizon, Set<Kind> kinds) {
        List<String> types = RECORDS.entrySet().stream()
                .filter(each -> kinds.contains(each.getValue()))
                .map(Map.Entry::getKey)
                .toList();
        if (types.isEmpty()) {
            return List.of();
        }
        return rows.recordChanges(tx, types, position.transaction(), position.move(), horizon, MAX_NUMBERED).stream()
                .map(record -> new Change(
                        record.transaction(),
                        record.number(),
                        Objects.requireNonNull(RECORDS.get(record.changed().type())),
                        "entities/" + record.changed().type() + "/"
                                + record.changed().id(),
                        json.write(record.changed())))
                .toList();
    }

    private List<Change> printerStateChanges(Tx tx, Map<String, Long> changed) {
        return states.find(tx, List.copyOf(changed.keySet())).stream()
                .map(shown -> new Change(
                        changed.getOrDefault(shown.printerId(), 0L),
                        0,
                        Kind.printerState,
                        RecordMessages.statsTopic(shown.printerId()),
                        json.write(shown)))
                .toList();
    }
}
