package farm.gantry.api.database;

import farm.gantry.api.error.ProblemException;
import farm.gantry.api.json.RawJson;
import farm.gantry.api.query.Columns;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.security.Caller;
import io.micronaut.core.type.Argument;
import io.micronaut.serde.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Read operations on a resource's table. Responses are JSON assembled directly from rows; internal reads return
 * records.
 */
public abstract sealed class ReadableTable<R> permits Table {
    private static final int ROW = 2048;

    final Columns<R> columns;
    final Database database;
    final Secrets secrets;
    final ObjectMapper mapper;
    private final ResponseSizeLimit size;
    private final byte[][] keys;
    private final String reads;
    private final String byId;

    ReadableTable(Class<R> type, Database database, Secrets secrets, ObjectMapper mapper, ResponseSizeLimit size) {
        this.columns = Columns.of(type);
        this.size = size;
        this.database = database;
        this.secrets = secrets;
        this.mapper = mapper;
        this.keys = RowJsonWriter.keys(columns.all());
        this.reads = SqlStatement.reads(columns.all());
        String from = SqlStatement.from(columns);
        this.byId = "select " + reads + " from " + from + " t where t.\"storeId\"=? and t.id=?";
    }

    public Columns<R> columns() {
        return columns;
    }

    /** Returns whether the caller may see the secrets of the records. */
    public Secrets.Visibility shown(Caller caller) {
        return caller.hasPermission(columns.secrets()) ? Secrets.Visibility.IN_CLEAR : Secrets.Visibility.HIDDEN;
    }

    public RawJson<List<R>> list(Caller caller, ListQuery query, Secrets.Visibility shown) {
        long started = System.nanoTime();
        Secrets.View view = secrets.view(shown);
        PageWriter<R> page = new PageWriter<>(query, size, view);
        byte[][] fieldKeys = query.fields().equals(columns.all()) ? keys : RowJsonWriter.keys(query.fields());
        SqlStatement statement = SqlStatement.list(columns, caller.unverifiedStore(), query);
        if (query.includes().isEmpty()) {
            database.run(caller, statement, rows -> {
                page.write(rows, fieldKeys);
                return page;
            });
        } else {
            database.in(
                    caller,
                    tx -> tx.query(statement, rows -> {
                        page.write(rows, fieldKeys, includes(tx, view), view);
                        return page;
                    }));
        }
        return page.json(started, () -> count(caller, query));
    }

    private long count(Caller caller, ListQuery query) {
        return database.run(caller, SqlStatement.count(columns, caller.store(), query), rows -> {
            rows.next();
            return rows.getLong(1);
        });
    }

    public Optional<RawJson<R>> get(Caller caller, String id, Secrets.Visibility shown) {
        return columns.embeds().isEmpty()
                ? database.run(
                        caller,
                        new SqlStatement(byId, List.of(caller.unverifiedStore().value(), id)),
                        rows -> rows.next() ? Optional.of(woven(rows, secrets.view(shown))) : Optional.empty())
                : database.in(caller, tx -> get(tx, id, shown));
    }

    /** Returns the record as {@code GET} returns it, including the transaction's own changes. */
    public Optional<RawJson<R>> get(Tx tx, String id, Secrets.Visibility shown) {
        return columns.embeds().isEmpty()
                ? one(tx, byId, id, secrets.view(shown))
                : get(tx, id, ListQuery.all(columns), shown);
    }

    /** Returns the record with the query's fields and includes. */
    public Optional<RawJson<R>> get(Tx tx, String id, ListQuery query, Secrets.Visibility shown) {
        return Optional.ofNullable(
                embedded(tx, List.of(id), query, secrets.view(shown)).get(id));
    }

    /** Returns records by id with the query's fields and includes. */
    public Map<String, RawJson<R>> getAll(Tx tx, List<String> ids, ListQuery query, Secrets.Visibility shown) {
        return embedded(tx, ids, query, secrets.view(shown));
    }

    /** Returns the existing records as a JSON array, oldest first. */
    public RawJson<List<R>> get(Tx tx, List<String> ids, Secrets.Visibility shown) {
        return RawJson.array(List.copyOf(
                embedded(tx, ids, ListQuery.all(columns), secrets.view(shown)).values()));
    }

    /** Returns the records that match a query, with all fields, as a JSON array. */
    public RawJson<List<R>> list(Tx tx, ListQuery query, Secrets.Visibility shown) {
        return tx.query(SqlStatement.list(columns, tx.store(), query), rows -> array(rows, secrets.view(shown)));
    }

    private Map<String, RawJson<R>> embedded(Tx tx, List<String> ids, ListQuery query, Secrets.View view) {
        SqlStatement statement = SqlStatement.byIds(columns, tx.store(), query, ids);
        byte[][] fieldKeys = RowJsonWriter.keys(query.fields());
        Map<String, IncludeLoader.Open> records = tx.query(statement, rows -> {
            Map<String, IncludeLoader.Open> read = new LinkedHashMap<>();
            while (rows.next()) {
                RowJsonWriter writer = new RowJsonWriter(ROW, view);
                writer.open(rows, query.fields(), fieldKeys);
                read.put(
                        rows.getString(query.fields().size() + 1),
                        IncludeLoader.Open.of(
                                writer,
                                rows,
                                query.fields().size() + 2,
                                query.includes().size()));
            }
            return read;
        });
        IncludeLoader.Closing closing = includes(tx, view).of(query.includes(), List.copyOf(records.values()));
        Map<String, RawJson<R>> found = new LinkedHashMap<>();
        records.forEach((id, record) -> {
            RowJsonWriter out = new RowJsonWriter(record.length() + 64, view);
            closing.close(out, record);
            found.put(id, out.json());
        });
        return found;
    }

    /** Included records hide secrets that another permission protects. */
    private IncludeLoader includes(Tx tx, Secrets.View view) {
        return new IncludeLoader(
                tx,
                view,
                target -> target.secrets() == columns.secrets() ? view : secrets.view(Secrets.Visibility.HIDDEN));
    }

    public Optional<R> find(Tx tx, String id) {
        return one(tx, byId, id, Secrets.KEPT).map(this::record);
    }

    private Optional<RawJson<R>> one(Tx tx, String sql, String id, Secrets.View view) {
        return tx.first(sql, rows -> woven(rows, view), tx.store().value(), id);
    }

    /** Id → record, of the ids that exist. */
    public Map<String, R> findAll(Tx tx, Collection<String> ids) {
        return records(stored(tx, ids, Secrets.KEPT, ""));
    }

    /** Locks and returns the record. */
    public Optional<R> lock(Tx tx, String id) {
        return lockKept(tx, id).map(this::record);
    }

    /** Id → record of the ids that exist, locked in the order of ids. */
    public Map<String, R> lockAll(Tx tx, Collection<String> ids) {
        return records(lockKept(tx, ids));
    }

    /** Locks the records in the order of ids without reading them. */
    public void lockUnread(Tx tx, Collection<String> ids) {
        tx.query(
                "select from " + SqlStatement.from(columns)
                        + " t where t.\"storeId\"=? and t.id=any(?) order by t.id for update",
                ResultSet::next,
                tx.store().value(),
                ids.toArray(String[]::new));
    }

    private Map<String, R> records(Map<String, RawJson<R>> kept) {
        Map<String, R> records = new LinkedHashMap<>();
        kept.forEach((id, json) -> records.put(id, record(json)));
        return records;
    }

    /** Returns the distinct records in the order of the ids, locked; throws if any does not exist. */
    public List<R> lockNamed(Tx tx, Collection<String> ids) {
        Map<String, R> found = lockAll(tx, ids);
        Set<String> named = new LinkedHashSet<>(ids);
        ProblemException.throwIfMissing(
                named.stream().filter(id -> !found.containsKey(id)).toList());
        return named.stream().map(found::get).filter(Objects::nonNull).toList();
    }

    /** Returns the records that match a query, with all fields and encrypted secrets. */
    public List<R> find(Tx tx, ListQuery query) {
        return find(tx, query, Secrets.KEPT);
    }

    public List<R> find(Tx tx, ListQuery query, Secrets.Visibility shown) {
        return find(tx, query, secrets.view(shown));
    }

    private List<R> find(Tx tx, ListQuery query, Secrets.View view) {
        SqlStatement statement = SqlStatement.list(columns, tx.store(), query);
        return tx.list(statement, rows -> record(woven(rows, view)));
    }

    /** Locks and returns the stored JSON of the record with encrypted secrets. */
    public Optional<RawJson<R>> lockKept(Tx tx, String id) {
        return one(tx, byId + " for update", id, Secrets.KEPT);
    }

    /** Id → stored JSON, locked in the order of ids to avoid deadlocks. */
    public Map<String, RawJson<R>> lockKept(Tx tx, Collection<String> ids) {
        return stored(tx, ids, Secrets.KEPT, " for update");
    }

    /** Id → JSON of the existing records, without includes. */
    public Map<String, RawJson<R>> getAll(Tx tx, Collection<String> ids, Secrets.Visibility shown) {
        return stored(tx, ids, secrets.view(shown), "");
    }

    private Map<String, RawJson<R>> stored(Tx tx, Collection<String> ids, Secrets.View view, String held) {
        if (ids.isEmpty()) {
            return Map.of();
        }
        return tx.query(
                "select " + reads + ", t.id from " + SqlStatement.from(columns)
                        + " t where t.\"storeId\"=? and t.id=any(?) order by t.id" + held,
                rows -> {
                    Map<String, RawJson<R>> found = new LinkedHashMap<>();
                    while (rows.next()) {
                        found.put(rows.getString(columns.all().size() + 1), woven(rows, view));
                    }
                    return found;
                },
                tx.store().value(),
                ids.toArray(String[]::new));
    }

    RawJson<List<R>> array(ResultSet rows, Secrets.View view) throws SQLException {
        RowJsonWriter writer = new RowJsonWriter(1 << 16, view);
        writer.append("[");
        for (int i = 0; rows.next(); i++) {
            writer.append(i == 0 ? "" : ",");
            writer.row(rows, columns.all(), keys);
        }
        writer.append("]");
        return writer.json();
    }

    /** Parses the JSON of a row. */
    public R record(RawJson<R> json) {
        try {
            return mapper.readValue(Arrays.copyOf(json.bytes(), json.length()), Argument.of(columns.type()));
        } catch (IOException e) {
            throw new UncheckedIOException("a stored row of " + columns.table() + " cannot be read", e);
        }
    }

    RawJson<R> woven(ResultSet rows, Secrets.View view) throws SQLException {
        RowJsonWriter writer = new RowJsonWriter(ROW, view);
        writer.row(rows, columns.all(), keys);
        return writer.json();
    }
}
