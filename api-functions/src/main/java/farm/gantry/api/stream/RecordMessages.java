package farm.gantry.api.stream;

import static java.nio.charset.StandardCharsets.UTF_8;

import farm.gantry.RecordChanged;
import farm.gantry.api.database.Secrets;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.json.JsonCodec;
import farm.gantry.api.json.RawJson;
import farm.gantry.api.printer.readiness.CurrentStates;
import farm.gantry.folder.Folder;
import farm.gantry.job.PrintJob;
import farm.gantry.material.Material;
import farm.gantry.order.Order;
import farm.gantry.part.Part;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterState;
import farm.gantry.sku.Sku;
import io.micronaut.core.type.Argument;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Builds the MQTT messages from which subscribers keep copies of records: changes with the changed records, at {@code
 * entities/TYPE}, and the statuses of printers, at {@code printer-stats/ID}. Records are as they are when they are read,
 * which may be after later changes.
 */
@Singleton
final class RecordMessages {
    private static final int MAX_CHANGES = 1000;
    private static final Argument<Map<String, Object>> OBJECT = Argument.mapOf(String.class, Object.class);
    private static final String PRINTER = "printer";

    private final ChangeRows rows;
    private final CurrentStates states;
    private final JsonCodec json;
    private final Table<Printer> printers;
    private final Map<String, Entity<?>> entities;

    RecordMessages(ChangeRows rows, CurrentStates states, JsonCodec json, Tables tables) {
        this.rows = rows;
        this.states = states;
        this.json = json;
        this.printers = tables.of(Printer.class);
        this.entities = Map.of(
                PRINTER,
                new Entity<>("printers", printers),
                "printJob",
                new Entity<>("jobs", tables.of(PrintJob.class)),
                "part",
                new Entity<>("parts", tables.of(Part.class)),
                "sku",
                new Entity<>("skus", tables.of(Sku.class)),
                "material",
                new Entity<>("materials", tables.of(Material.class)),
                "folder",
                new Entity<>("folders", tables.of(Folder.class)),
                "order",
                new Entity<>("orders", tables.of(Order.class)));
    }

    /** A type of records by its name in topics. */
    private record Entity<R>(String name, Table<R> table) {
        Map<String, String> read(Tx tx, Collection<String> ids) {
            Map<String, String> records = new LinkedHashMap<>();
            table.getAll(tx, ids, Secrets.Visibility.HIDDEN)
                    .forEach((String id, RawJson<R> record) -> records.put(id, record.text()));
            return records;
        }
    }

    /** A message; {@code topic} is relative to the store. */
    record Message(String topic, String data) {}

    /** Messages, and the position after them; null if there are no more. */
    record Batch(List<Message> messages, @Nullable StreamPosition next) {}

    private enum Action {
        INSERT,
        UPDATE,
        DELETE;

        static Action of(RecordChanged.Change change) {
            return switch (change) {
                case created -> INSERT;
                case updated -> UPDATE;
                case deleted -> DELETE;
            };
        }
    }

    /** The status of a printer, with fields of its record that subscribers read together with it. */
    @Serdeable
    record PrinterStats(
            String printerId,
            PrinterState state,
            boolean isOnline,
            boolean isAvailable,
            boolean confirmedReady,
            Metadata metadata,
            Data data) {}

    @Serdeable
    record Metadata(String name) {}

    @Serdeable
    record Data(Health health) {}

    /** Faults of a printer. All are errors, because providers do not report warnings. */
    @Serdeable
    record Health(List<PrinterState.Fault> errors, List<PrinterState.Fault> warnings) {}

    /** Returns the status messages of the existing printers, by their topics. */
    Map<String, Message> stats(Tx tx, Collection<String> printerIds) {
        Map<String, Printer> found = printers.findAll(tx, printerIds);
        Map<String, Message> messages = new LinkedHashMap<>();
        for (CurrentStates.CurrentState current : states.find(tx, List.copyOf(found.keySet()))) {
            Printer printer = Objects.requireNonNull(found.get(current.printerId()));
            PrinterStats stats = new PrinterStats(
                    printer.id(),
                    current.state(),
                    printer.isOnline(),
                    printer.isAvailable(),
                    printer.confirmedReady(),
                    new Metadata(printer.name()),
                    new Data(new Health(current.state().errors(), List.of())));
            String topic = statsTopic(printer.id());
            messages.put(topic, new Message(topic, json.write(stats)));
        }
        return messages;
    }

    static String statsTopic(String printerId) {
        return "printer-stats/" + printerId;
    }

    /**
     * Returns messages about the changes after the position and before the horizon, oldest first. The statuses of the
     * changed printers follow.
     */
    Batch readAfter(Tx tx, StreamPosition position, long horizon) {
        List<ChangeRows.RecordChange> changes = rows.recordChanges(
                tx, entities.keySet(), position.transaction(), position.move(), horizon, MAX_CHANGES);
        Map<String, Set<String>> ids = new LinkedHashMap<>();
        changes.forEach(change -> ids.computeIfAbsent(change.changed().type(), _ -> new LinkedHashSet<>())
                .add(change.changed().id()));
        Map<String, Map<String, String>> records = new LinkedHashMap<>();
        ids.forEach((type, changed) ->
                records.put(type, Objects.requireNonNull(entities.get(type)).read(tx, changed)));
        List<Message> messages = new ArrayList<>();
        Group group = null;
        for (ChangeRows.RecordChange change : changes) {
            String type = change.changed().type();
            Action action = Action.of(change.changed().change());
            String record = Objects.requireNonNull(records.get(type))
                    .get(change.changed().id());
            if (record == null && action != Action.DELETE) {
                continue; // its deletion follows
            }
            String name = Objects.requireNonNull(entities.get(type)).name();
            if (group == null || !group.add(name, action, change, record)) {
                if (group != null) {
                    messages.add(group.message());
                }
                group = new Group(name, action);
                group.add(name, action, change, record);
            }
        }
        if (group != null) {
            messages.add(group.message());
        }
        messages.addAll(stats(tx, ids.getOrDefault(PRINTER, Set.of())).values());
        if (changes.size() < MAX_CHANGES) {
            return new Batch(messages, null);
        }
        ChangeRows.RecordChange last = changes.getLast();
        return new Batch(messages, position.next(last.transaction(), last.number(), position.at()));
    }

    /** Changes of one kind that follow each other, up to the maximum size of a message. */
    private final class Group {
        /** Space for everything but the entities and changes. */
        private static final int ENVELOPE = 100;

        private final String name;
        private final Action action;
        private final StringBuilder records = new StringBuilder();
        private final StringBuilder changes = new StringBuilder();
        private final Set<String> ids = new LinkedHashSet<>();

        Group(String name, Action action) {
            this.name = name;
            this.action = action;
        }

        /** Adds a change; returns whether it belongs here and there was space. An empty group has space for any. */
        boolean add(String type, Action next, ChangeRows.RecordChange change, @Nullable String record) {
            String id = change.changed().id();
            if (!type.equals(name) || next != action || ids.contains(id)) {
                return false;
            }
            String key = json.write(id) + ":";
            String entity = record == null || next == Action.DELETE ? json.write(Map.of("id", id)) : record;
            String fields = next == Action.UPDATE && record != null ? changedFields(record, change.fields()) : "{}";
            int size = ENVELOPE + sizeOf(records) + sizeOf(changes) + sizeOf(key + entity + key + fields);
            if (size > MqttEventPublisher.MAX_BYTES) {
                if (!ids.isEmpty()) {
                    return false;
                }
                entity = json.write(Map.of("id", id, "truncated", true));
                fields = "{}";
            }
            String comma = ids.isEmpty() ? "" : ",";
            records.append(comma).append(key).append(entity);
            changes.append(comma).append(key).append(fields);
            ids.add(id);
            return true;
        }

        private static int sizeOf(CharSequence text) {
            return text.toString().getBytes(UTF_8).length;
        }

        private String changedFields(String record, List<String> fields) {
            Map<String, Object> changed = new LinkedHashMap<>(json.read(record, OBJECT));
            changed.keySet().retainAll(Set.copyOf(fields));
            return json.write(changed);
        }

        Message message() {
            return new Message(
                    "entities/" + name,
                    "{\"entityType\":\"" + name + "\",\"action\":\"" + action + "\",\"entities\":{" + records
                            + "},\"changes\":{" + (action == Action.UPDATE ? changes : "") + "}}");
        }
    }
}
