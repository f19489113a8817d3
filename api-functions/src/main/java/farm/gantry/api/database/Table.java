package farm.gantry.api.database;

import farm.gantry.api.json.RawJson;
import farm.gantry.api.security.Caller;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Gatherers;
import org.jspecify.annotations.Nullable;

/**
 * A resource's table, restricted to one store. Writes pass records or columns as JSON, which PostgreSQL maps to
 * columns.
 */
public final class Table<R> extends ReadableTable<R> {
    /** Maximum number of records, which may be large, per statement. */
    private static final int AT_ONCE = 100;

    private final ReferenceCheck<R> references;
    private final WriteStatements writes;

    Table(Class<R> type, Database database, Secrets secrets, ObjectMapper mapper, ResponseSizeLimit size) {
        super(type, database, secrets, mapper, size);
        this.references = new ReferenceCheck<>(columns);
        this.writes = new WriteStatements(columns);
    }

    /** Returns the ids that do not exist. */
    public Set<String> missing(Tx tx, Collection<String> ids) {
        return ids.isEmpty() ? Set.of() : ReferenceCheck.missing(tx, columns.table(), "", ids.toArray(String[]::new));
    }

    public RawJson<R> insert(Tx tx, R record, Secrets.Visibility shown) {
        references.checkWritten(tx, record);
        return tx.query(writes.insert(json(List.of(record))), rows -> inserted(rows, shown));
    }

    /** Throws if the records refer to missing ones, before they are written; each field is named once. */
    public void checkReferences(Tx tx, List<R> records) {
        references.checkChanged(tx, records);
    }

    /** Checks the references of a body that may be otherwise invalid. */
    public void checkReferences(Tx tx, JsonNode body) {
        references.checkNamed(tx, body);
    }

    /** Whether the record refers to another that must exist. */
    public boolean refers(R record) {
        return references.isHeldBy(record);
    }

    /** Inserts a record without references in one round trip. */
    public RawJson<R> insert(Caller caller, R record, Secrets.Visibility shown) {
        return database.run(caller, writes.insert(json(List.of(record))), rows -> inserted(rows, shown));
    }

    private RawJson<R> inserted(ResultSet rows, Secrets.Visibility shown) throws SQLException {
        rows.next();
        return woven(rows, secrets.view(shown));
    }

    /** Inserts the records in one statement; returns them as a JSON array, in order. */
    public RawJson<List<R>> insertAll(Tx tx, List<R> records, Secrets.Visibility shown) {
        references.checkWritten(tx, records);
        return insertReferring(tx, records, shown);
    }

    /** Inserts records whose references are known to exist. */
    public RawJson<List<R>> insertReferring(Tx tx, List<R> records, Secrets.Visibility shown) {
        return tx.query(writes.insert(json(records)), rows -> array(rows, secrets.view(shown)));
    }

    /**
     * Rows that differ from the pattern in a few columns, including columns that records do not have. Each row is the
     * change that makes it from the pattern.
     */
    public record Copies<R>(R pattern, List<Change<R>> rows) {}

    /**
     * Inserts the copies in one statement; all rows must name the same columns. Each {@code drawn} column gets the next
     * number of the sequence of its name.
     */
    public void insertCopies(Tx tx, List<Copies<R>> copies, Collection<String> drawn) {
        references.checkWritten(tx, copies.stream().map(Copies::pattern).toList());
        insertReferringCopies(tx, copies, drawn);
    }

    /** Inserts copies of one pattern. */
    public void insertCopies(Tx tx, Copies<R> copies, Collection<String> drawn) {
        references.checkWritten(tx, copies.pattern());
        insertReferringCopies(tx, List.of(copies), drawn);
    }

    /** Inserts copies whose references are known to exist. */
    public void insertReferringCopies(Tx tx, List<Copies<R>> copies, Collection<String> drawn) {
        if (!copies.isEmpty()) {
            Set<String> own = copies.getFirst().rows().getFirst().values().keySet();
            tx.update(writes.copies(
                    own,
                    drawn,
                    json(copies.stream()
                            .map(each -> Map.of(
                                    "pattern",
                                    each.pattern(),
                                    "rows",
                                    each.rows().stream().map(Change::values).toList()))
                            .toList())));
        }
    }

    /** Replaces the record; empty if it changed since {@code readAt} or was deleted. */
    public Optional<RawJson<R>> update(Tx tx, String id, String readAt, R record, Secrets.Visibility shown) {
        references.checkWritten(tx, record);
        return tx.query(
                writes.update(tx.store(), id, readAt, json(record)),
                rows -> rows.next() ? Optional.of(woven(rows, secrets.view(shown))) : Optional.empty());
    }

    /** Replaces locked records of one change; a missing reference is reported once for all. */
    public void updateAll(Tx tx, List<R> records) {
        references.checkChanged(tx, records);
        records.stream()
                .gather(Gatherers.windowFixed(AT_ONCE))
                .forEach(some -> ids(tx, writes.updateAll(tx.store(), json(some))));
    }

    /**
     * Sets columns of a row if it has the values that the change expects.
     *
     * @return whether it was changed
     */
    public boolean change(Tx tx, String id, Change<R> change) {
        Map<String, @Nullable Object> values = change.values();
        references.checkChanged(tx, values);
        return tx.update(writes.change(tx.store(), id, stored(change.expected()), values.keySet(), json(values))) == 1;
    }

    /** Makes the same change to many rows, after checking references; returns the ids of those that were changed. */
    public Set<String> changeAll(Tx tx, Collection<String> ids, Change<R> change) {
        if (ids.isEmpty()) {
            return Set.of();
        }
        references.checkChanged(tx, change.values());
        Map<String, Change<R>> changes = new LinkedHashMap<>();
        ids.forEach(id -> changes.put(id, change));
        return changeAll(tx, changes);
    }

    /** The columns that a change sets and the values that it expects, which one statement has in common. */
    private record Shape(Set<String> columns, Map<String, @Nullable Object> expected) {}

    /**
     * Changes each row by its id, in one statement for those that set the same columns. References are not checked.
     *
     * @return the ids of the rows that were changed
     */
    public Set<String> changeAll(Tx tx, Map<String, Change<R>> changes) {
        Map<Shape, List<Map<String, @Nullable Object>>> alike = new LinkedHashMap<>();
        changes.forEach((id, change) -> {
            Map<String, @Nullable Object> row = new HashMap<>(change.values());
            row.put("id", id);
            Shape shape = new Shape(change.values().keySet(), change.expected());
            alike.computeIfAbsent(shape, _ -> new ArrayList<>()).add(row);
        });
        Set<String> changed = new HashSet<>();
        alike.forEach((shape, rows) -> changed.addAll(
                ids(tx, writes.changeAll(tx.store(), stored(shape.expected()), shape.columns(), json(rows)))));
        return changed;
    }

    /** Returns the values as they are stored: a constant of an enum by its name in JSON. */
    private Map<String, @Nullable Object> stored(Map<String, @Nullable Object> values) {
        Map<String, @Nullable Object> stored = new LinkedHashMap<>();
        values.forEach((name, value) -> stored.put(name, value instanceof Enum<?> ? nameInJson(value) : value));
        return stored;
    }

    private String nameInJson(Object constant) {
        try {
            return mapper.writeValueToTree(constant).getStringValue();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Throws if other records refer to these, naming them. */
    public void checkUnneeded(Tx tx, List<String> ids) {
        references.checkUnneeded(tx, ids);
    }

    /** Deletes the records; returns the ids that existed. */
    public List<String> delete(Tx tx, List<String> ids) {
        references.checkUnneeded(tx, ids);
        return ids(tx, writes.delete(tx.store(), ids));
    }

    private static List<String> ids(Tx tx, SqlStatement statement) {
        return tx.list(statement, rows -> rows.getString(1));
    }

    private String json(@Nullable Object value) {
        try {
            return new String(mapper.writeValueAsBytes(value), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
