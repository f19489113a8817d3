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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
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
     * Rows that differ from the pattern in a few columns, including columns that records do not have. Each row maps
     * column names to values.
     */
    public record Copies<R>(R pattern, List<Map<String, @Nullable Object>> rows) {}

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
            Set<String> own = copies.getFirst().rows().getFirst().keySet();
            tx.update(writes.copies(
                    own,
                    drawn,
                    json(copies.stream()
                            .map(each -> Map.of("pattern", each.pattern(), "rows", each.rows()))
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
        return change(tx, id, wire(change.expected()), change.values());
    }

    /** Makes the same change to many rows, after checking references; returns the ids of those that were changed. */
    public Set<String> changeAll(Tx tx, Collection<String> ids, Change<R> change) {
        return changeAll(tx, wire(change.expected()), ids, change.values());
    }

    /**
     * Changes each row by its id, in one statement for those that set the same columns. References are not checked.
     *
     * @return the ids of the rows that were changed
     */
    public Set<String> changeAll(Tx tx, Map<String, Change<R>> changes) {
        Map<Map<String, @Nullable Object>, List<Map<String, @Nullable Object>>> byExpected = new LinkedHashMap<>();
        changes.forEach((id, change) -> {
            Map<String, @Nullable Object> row = new HashMap<>(change.values());
            row.put("id", id);
            byExpected
                    .computeIfAbsent(wire(change.expected()), _ -> new ArrayList<>())
                    .add(row);
        });
        Set<String> changed = new HashSet<>();
        byExpected.forEach((expected, rows) -> changed.addAll(changeAll(tx, expected, rows)));
        return changed;
    }

    /** Returns the values as columns store them: an enum's constant by its name in JSON. */
    private Map<String, @Nullable Object> wire(Map<String, @Nullable Object> values) {
        Map<String, @Nullable Object> texts = new LinkedHashMap<>();
        values.forEach((name, value) -> texts.put(name, value instanceof Enum<?> ? wire(value) : value));
        return texts;
    }

    private String wire(Object constant) {
        try {
            return mapper.writeValueToTree(constant).getStringValue();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Sets single columns of a row if it still has the expected values.
     *
     * @return whether it was changed
     */
    public boolean change(Tx tx, String id, Map<String, ?> expected, Map<String, ?> changes) {
        references.checkChanged(tx, changes);
        return tx.update(writes.change(tx.store(), id, expected, changes.keySet(), json(changes))) == 1;
    }

    /**
     * Sets columns of many rows in one statement; {@code changes} holds each row's id and values, all with the same
     * columns. References are not checked.
     *
     * @return the ids of the rows that had the expected values
     */
    public Set<String> changeAll(Tx tx, Map<String, ?> expected, List<Map<String, @Nullable Object>> changes) {
        Map<Set<String>, List<Map<String, @Nullable Object>>> byColumns =
                changes.stream().collect(Collectors.groupingBy(Map::keySet));
        Set<String> held = new HashSet<>();
        byColumns.forEach((columns, alike) -> {
            Set<String> changed = new LinkedHashSet<>(columns);
            changed.remove("id");
            held.addAll(ids(tx, writes.changeAll(tx.store(), expected, changed, json(alike))));
        });
        return held;
    }

    /** Sets the same values in all rows, after checking references. */
    public Set<String> changeAll(Tx tx, Map<String, ?> expected, Collection<String> ids, Map<String, ?> changes) {
        if (ids.isEmpty()) {
            return Set.of();
        }
        references.checkChanged(tx, changes);
        return changeAll(
                tx,
                expected,
                ids.stream()
                        .map(id -> {
                            Map<String, @Nullable Object> row = new HashMap<>(changes);
                            row.put("id", id);
                            return row;
                        })
                        .toList());
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
