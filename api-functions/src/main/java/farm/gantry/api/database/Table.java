package farm.gantry.api.database;

import farm.gantry.Field;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.json.RawJson;
import farm.gantry.api.query.Columns;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.security.Caller;
import io.micronaut.core.type.Argument;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Gatherers;
import org.jspecify.annotations.Nullable;

/**
 * A resource's table, restricted to one store. Responses are JSON assembled directly from rows; internal reads return
 * records. Writes pass records or columns as JSON, which PostgreSQL maps to columns.
 */
public final class Table<R> {
    private static final int ROW = 2048;

    /** Maximum number of records, which may be large, per statement. */
    static final int MAX_BATCH = 100;

    private final Columns<R> columns;
    private final Database database;
    private final Secrets secrets;
    private final ObjectMapper mapper;
    private final ResponseSizeLimit size;
    private final byte[][] keys;
    private final String reads;
    private final String byId;
    private final ReferenceCheck<R> references;
    private final WriteStatements writes;

    Table(Class<R> type, Database database, Secrets secrets, ObjectMapper mapper, ResponseSizeLimit size) {
        this.columns = Columns.of(type);
        this.size = size;
        this.database = database;
        this.secrets = secrets;
        this.mapper = mapper;
        this.keys = RowJsonWriter.encodeKeys(columns.all());
        this.reads = SqlStatement.selectList(columns.all());
        String from = SqlStatement.fromClause(columns);
        this.byId = "select " + reads + " from " + from + " t where t.\"storeId\"=? and t.id=?";
        this.references = new ReferenceCheck<>(columns);
        this.writes = new WriteStatements(columns);
    }

    public Columns<R> columns() {
        return columns;
    }

    /** Whether the host can send a list of any size. */
    public boolean canStream() {
        return size.canStream();
    }

    /** Returns whether the caller may see the secrets of the records. */
    public Secrets.Visibility secretVisibility(Caller caller) {
        return caller.hasPermission(columns.secrets()) ? Secrets.Visibility.IN_CLEAR : Secrets.Visibility.HIDDEN;
    }

    public RawJson<List<R>> list(Caller caller, ListQuery query, Secrets.Visibility shown) {
        long started = System.nanoTime();
        SecretView view = secrets.view(shown);
        byte[][] fieldKeys = query.fields().equals(columns.all()) ? keys : RowJsonWriter.encodeKeys(query.fields());
        SqlStatement statement = SqlStatement.selectPage(columns, caller.unverifiedStore(), query);
        PageWriter<R> page = query.includes().isEmpty()
                ? database.read(caller, statement, rows -> {
                    PageWriter<R> written = new PageWriter<>(query, size, view);
                    written.write(rows, fieldKeys);
                    return written;
                })
                : database.read(
                        caller,
                        tx -> tx.query(statement, rows -> {
                            PageWriter<R> written = new PageWriter<>(query, size, view);
                            written.write(rows, fieldKeys, includes(tx, view), view);
                            return written;
                        }));
        return page.finish(started, () -> count(caller, query));
    }

    /**
     * Returns all records of a list, without regard to its limit, in pages that are read one by one. A record that exists
     * all the time is in exactly one page.
     */
    public Iterator<List<RawJson<R>>> export(Caller caller, ListQuery query, Secrets.Visibility shown) {
        return new ListExport<>(this, database, caller, query, shown);
    }

    private long count(Caller caller, ListQuery query) {
        return database.read(caller, SqlStatement.selectCount(columns, caller.store(), query), rows -> {
            rows.next();
            return rows.getLong(1);
        });
    }

    public Optional<RawJson<R>> get(Caller caller, String id, Secrets.Visibility shown) {
        return columns.embeds().isEmpty()
                ? database.run(
                        caller,
                        new SqlStatement(byId, List.of(caller.unverifiedStore().value(), id)),
                        rows -> rows.next() ? Optional.of(readRow(rows, secrets.view(shown))) : Optional.empty())
                : database.in(caller, tx -> get(tx, id, shown));
    }

    /** Returns the record as {@code GET} returns it, including the transaction's own changes. */
    public Optional<RawJson<R>> get(Tx tx, String id, Secrets.Visibility shown) {
        return columns.embeds().isEmpty()
                ? findOne(tx, byId, id, secrets.view(shown))
                : get(tx, id, ListQuery.all(columns), shown);
    }

    /** Returns the record with the query's fields and includes. */
    public Optional<RawJson<R>> get(Tx tx, String id, ListQuery query, Secrets.Visibility shown) {
        return Optional.ofNullable(
                findWithIncludes(tx, List.of(id), query, secrets.view(shown)).get(id));
    }

    /** Returns records by id with the query's fields and includes. */
    public Map<String, RawJson<R>> getAll(Tx tx, List<String> ids, ListQuery query, Secrets.Visibility shown) {
        return findWithIncludes(tx, ids, query, secrets.view(shown));
    }

    /** Returns the existing records as a JSON array, oldest first. */
    public RawJson<List<R>> get(Tx tx, List<String> ids, Secrets.Visibility shown) {
        return RawJson.array(List.copyOf(findWithIncludes(tx, ids, ListQuery.all(columns), secrets.view(shown))
                .values()));
    }

    /** Returns the records that match a query, with all fields, as a JSON array. */
    public RawJson<List<R>> list(Tx tx, ListQuery query, Secrets.Visibility shown) {
        return tx.query(SqlStatement.selectPage(columns, tx.store(), query), rows -> array(rows, secrets.view(shown)));
    }

    private Map<String, RawJson<R>> findWithIncludes(Tx tx, List<String> ids, ListQuery query, SecretView view) {
        SqlStatement statement = SqlStatement.selectByIds(columns, tx.store(), query, ids);
        byte[][] fieldKeys = RowJsonWriter.encodeKeys(query.fields());
        Map<String, IncludeLoader.PartialRecord> records = tx.query(statement, rows -> {
            Map<String, IncludeLoader.PartialRecord> read = new LinkedHashMap<>();
            while (rows.next()) {
                RowJsonWriter writer = new RowJsonWriter(ROW, view);
                writer.writeOpenRow(rows, query.fields(), fieldKeys);
                read.put(
                        rows.getString(query.fields().size() + 1),
                        IncludeLoader.PartialRecord.read(
                                writer,
                                rows,
                                query.fields().size() + 2,
                                query.includes().size()));
            }
            return read;
        });
        IncludeLoader.RecordCompletion closing =
                includes(tx, view).load(query.includes(), List.copyOf(records.values()));
        Map<String, RawJson<R>> found = new LinkedHashMap<>();
        records.forEach((id, record) -> {
            RowJsonWriter out = new RowJsonWriter(record.length() + 64, view);
            closing.complete(out, record);
            found.put(id, out.json());
        });
        return found;
    }

    /** Included records hide secrets that another permission protects. */
    private IncludeLoader includes(Tx tx, SecretView view) {
        return new IncludeLoader(
                tx,
                view,
                target -> target.secrets() == columns.secrets() ? view : secrets.view(Secrets.Visibility.HIDDEN));
    }

    public Optional<R> find(Tx tx, String id) {
        return findOne(tx, byId, id, Secrets.UNCHANGED).map(this::parse);
    }

    private Optional<RawJson<R>> findOne(Tx tx, String sql, String id, SecretView view) {
        return tx.first(sql, rows -> readRow(rows, view), tx.store().value(), id);
    }

    /** Id → record, of the ids that exist. */
    public Map<String, R> findAll(Tx tx, Collection<String> ids) {
        return parseAll(findStored(tx, ids, Secrets.UNCHANGED, ""));
    }

    /** Locks and returns the record. */
    public Optional<R> lock(Tx tx, String id) {
        return lockStored(tx, id).map(this::parse);
    }

    /** Id → record of the ids that exist, locked in the order of ids. */
    public Map<String, R> lockAll(Tx tx, Collection<String> ids) {
        return parseAll(lockStored(tx, ids));
    }

    /** Locks the records in the order of ids without reading them. */
    public void lockWithoutReading(Tx tx, Collection<String> ids) {
        tx.query(
                "select from " + SqlStatement.fromClause(columns)
                        + " t where t.\"storeId\"=? and t.id=any(?) order by t.id for update",
                ResultSet::next,
                tx.store().value(),
                ids.toArray(String[]::new));
    }

    private Map<String, R> parseAll(Map<String, RawJson<R>> kept) {
        Map<String, R> records = new LinkedHashMap<>();
        kept.forEach((id, json) -> records.put(id, parse(json)));
        return records;
    }

    /** Returns the distinct records in the order of the ids, locked; throws if any does not exist. */
    public List<R> lockRequired(Tx tx, Collection<String> ids) {
        Map<String, R> found = lockAll(tx, ids);
        Set<String> named = new LinkedHashSet<>(ids);
        ProblemException.throwIfMissing(
                named.stream().filter(id -> !found.containsKey(id)).toList());
        return named.stream().map(found::get).filter(Objects::nonNull).toList();
    }

    /** Returns the records that match a query, with all fields and encrypted secrets. */
    public List<R> find(Tx tx, ListQuery query) {
        return find(tx, query, Secrets.UNCHANGED);
    }

    /** Returns the records whose field has one of the values. */
    public List<R> find(Tx tx, Field<R> field, Collection<String> values) {
        return values.isEmpty() ? List.of() : find(tx, ListQuery.all(columns, field, values));
    }

    public List<R> find(Tx tx, ListQuery query, Secrets.Visibility shown) {
        return find(tx, query, secrets.view(shown));
    }

    private List<R> find(Tx tx, ListQuery query, SecretView view) {
        SqlStatement statement = SqlStatement.selectPage(columns, tx.store(), query);
        return tx.list(statement, rows -> parse(readRow(rows, view)));
    }

    /** Locks and returns the stored JSON of the record with encrypted secrets. */
    public Optional<RawJson<R>> lockStored(Tx tx, String id) {
        return findOne(tx, byId + " for update", id, Secrets.UNCHANGED);
    }

    /** Id → stored JSON, locked in the order of ids to avoid deadlocks. */
    public Map<String, RawJson<R>> lockStored(Tx tx, Collection<String> ids) {
        return findStored(tx, ids, Secrets.UNCHANGED, " for update");
    }

    /** Id → JSON of the existing records, without includes. */
    public Map<String, RawJson<R>> getAll(Tx tx, Collection<String> ids, Secrets.Visibility shown) {
        return findStored(tx, ids, secrets.view(shown), "");
    }

    private Map<String, RawJson<R>> findStored(Tx tx, Collection<String> ids, SecretView view, String held) {
        if (ids.isEmpty()) {
            return Map.of();
        }
        return tx.query(
                "select " + reads + ", t.id from " + SqlStatement.fromClause(columns)
                        + " t where t.\"storeId\"=? and t.id=any(?) order by t.id" + held,
                rows -> {
                    Map<String, RawJson<R>> found = new LinkedHashMap<>();
                    while (rows.next()) {
                        found.put(rows.getString(columns.all().size() + 1), readRow(rows, view));
                    }
                    return found;
                },
                tx.store().value(),
                ids.toArray(String[]::new));
    }

    private RawJson<List<R>> array(ResultSet rows, SecretView view) throws SQLException {
        RowJsonWriter writer = new RowJsonWriter(1 << 16, view);
        writer.append("[");
        for (int i = 0; rows.next(); i++) {
            writer.append(i == 0 ? "" : ",");
            writer.writeRow(rows, columns.all(), keys);
        }
        writer.append("]");
        return writer.json();
    }

    /** Parses the JSON of a row. */
    public R parse(RawJson<R> json) {
        try {
            return mapper.readValue(Arrays.copyOf(json.bytes(), json.length()), Argument.of(columns.type()));
        } catch (IOException e) {
            throw new UncheckedIOException("a stored row of " + columns.table() + " cannot be read", e);
        }
    }

    private RawJson<R> readRow(ResultSet rows, SecretView view) throws SQLException {
        RowJsonWriter writer = new RowJsonWriter(ROW, view);
        writer.writeRow(rows, columns.all(), keys);
        return writer.json();
    }

    /** Returns the ids that do not exist. */
    public Set<String> findMissing(Tx tx, Collection<String> ids) {
        return ids.isEmpty()
                ? Set.of()
                : ReferenceCheck.findMissing(tx, columns.table(), "", ids.toArray(String[]::new));
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
        references.checkBody(tx, body);
    }

    /** Whether the record contains a reference that must exist. */
    public boolean hasReferences(R record) {
        return references.hasReferences(record);
    }

    /** Inserts a record without references in one round trip. */
    public RawJson<R> insert(Caller caller, R record, Secrets.Visibility shown) {
        return database.run(caller, writes.insert(json(List.of(record))), rows -> inserted(rows, shown));
    }

    private RawJson<R> inserted(ResultSet rows, Secrets.Visibility shown) throws SQLException {
        rows.next();
        return readRow(rows, secrets.view(shown));
    }

    /** Inserts the records in one statement; returns them as a JSON array, in order. */
    public RawJson<List<R>> insertAll(Tx tx, List<R> records, Secrets.Visibility shown) {
        references.checkWritten(tx, records);
        return insertUnchecked(tx, records, shown);
    }

    /** Inserts records whose references are known to exist. */
    public RawJson<List<R>> insertUnchecked(Tx tx, List<R> records, Secrets.Visibility shown) {
        return tx.query(writes.insert(json(records)), rows -> array(rows, secrets.view(shown)));
    }

    /**
     * Rows that differ from the pattern in a few columns, including columns that records do not have. Each row is the
     * change that makes it from the pattern.
     */
    public record RowCopies<R>(R pattern, List<Change<R>> rows) {}

    /**
     * Inserts the copies in one statement; all rows must name the same columns. Each {@code drawn} column gets the next
     * number of the sequence of its name.
     */
    public void insertCopies(Tx tx, List<RowCopies<R>> copies, Collection<String> drawn) {
        references.checkWritten(tx, copies.stream().map(RowCopies::pattern).toList());
        insertCopiesUnchecked(tx, copies, drawn);
    }

    /** Inserts copies of one pattern. */
    public void insertCopies(Tx tx, RowCopies<R> copies, Collection<String> drawn) {
        references.checkWritten(tx, copies.pattern());
        insertCopiesUnchecked(tx, List.of(copies), drawn);
    }

    /** Inserts copies whose references are known to exist. */
    public void insertCopiesUnchecked(Tx tx, List<RowCopies<R>> copies, Collection<String> drawn) {
        if (!copies.isEmpty()) {
            Set<String> own = copies.getFirst().rows().getFirst().values().keySet();
            tx.update(writes.insertCopies(
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
                rows -> rows.next() ? Optional.of(readRow(rows, secrets.view(shown))) : Optional.empty());
    }

    /** Replaces locked records of one change; a missing reference is reported once for all. */
    public void updateAll(Tx tx, List<R> records) {
        references.checkChanged(tx, records);
        records.stream()
                .gather(Gatherers.windowFixed(MAX_BATCH))
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
        return tx.update(
                        writes.change(tx.store(), id, toStoredValues(change.expected()), values.keySet(), json(values)))
                == 1;
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

    /**
     * The columns that a change sets and the values that it expects. Changes with equal columns and values are combined
     * in one statement.
     */
    private record ChangeColumns(Set<String> columns, Map<String, @Nullable Object> expected) {}

    /**
     * Changes each row by its id, in one statement for those that set the same columns. References are not checked.
     *
     * @return the ids of the rows that were changed
     */
    public Set<String> changeAll(Tx tx, Map<String, Change<R>> changes) {
        Map<ChangeColumns, List<Map<String, @Nullable Object>>> alike = new LinkedHashMap<>();
        changes.forEach((id, change) -> {
            Map<String, @Nullable Object> row = new HashMap<>(change.values());
            row.put("id", id);
            ChangeColumns shape = new ChangeColumns(change.values().keySet(), change.expected());
            alike.computeIfAbsent(shape, _ -> new ArrayList<>()).add(row);
        });
        Set<String> changed = new HashSet<>();
        alike.forEach((shape, rows) -> changed.addAll(
                ids(tx, writes.changeAll(tx.store(), toStoredValues(shape.expected()), shape.columns(), json(rows)))));
        return changed;
    }

    /** Returns the values as they are stored: a constant of an enum by its name in JSON. */
    private Map<String, @Nullable Object> toStoredValues(Map<String, @Nullable Object> values) {
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
    public void checkNotReferenced(Tx tx, List<String> ids) {
        references.checkNotReferenced(tx, ids);
    }

    /** Deletes the records; returns the ids that existed. */
    public List<String> delete(Tx tx, List<String> ids) {
        references.checkNotReferenced(tx, ids);
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
