package farm.gantry.api.database;

import farm.gantry.StoreId;
import farm.gantry.api.query.Column;
import farm.gantry.api.query.Columns;
import farm.gantry.api.query.FieldType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The statements that write a resource's rows. Values come as JSON, which PostgreSQL maps to columns. */
final class WriteStatements {
    private static final String NEXT_UPDATED_AT = "greatest(now(), t.\"updatedAt\" + interval '1 ms')";
    private static final List<String> UNCHANGEABLE = List.of("id", "storeId", "createdAt", "updatedAt");

    private final Columns<?> columns;
    private final String table;
    private final List<Column> written;
    private final String insert;
    private final String update;
    private final List<String> replaced;

    WriteStatements(Columns<?> columns) {
        this.columns = columns;
        this.table = SqlStatement.fromClause(columns);
        this.written =
                columns.all().stream().filter(column -> !column.computed()).toList();
        String reads = SqlStatement.selectList(columns.all());
        String all = quoted(written.stream().map(Column::name).toList());
        this.insert = "insert into " + table + " as t (" + all + ") select " + all
                + " from json_populate_recordset(null::" + table + ", ?::json) returning " + reads;
        this.replaced = written.stream()
                .filter(column -> !column.secret())
                .map(Column::name)
                .filter(name -> !UNCHANGEABLE.contains(name))
                .toList();
        this.update = updateStatement(quoted(replaced)) + " and t.\"updatedAt\"=?::timestamptz returning " + reads;
    }

    /** {@code set} are the columns set from JSON. */
    private String updateStatement(String set) {
        return "update " + table + " as t set (" + set + ",\"updatedAt\") = (select " + set + ", " + NEXT_UPDATED_AT
                + " from json_populate_record(null::" + table + ", ?::json)) where t.\"storeId\"=? and t.id=?";
    }

    /** Inserts and returns the rows, in the order of the records. */
    SqlStatement insert(String records) {
        return new SqlStatement(insert, List.of(records));
    }

    /** Updates all changeable columns if the row was last changed at {@code readAt}; returns the row. */
    SqlStatement update(StoreId store, String id, String readAt, String record) {
        return new SqlStatement(update, List.of(record, store.value(), id, readAt));
    }

    /** Updates all changeable columns of locked rows; returns their ids. */
    SqlStatement updateAll(StoreId store, String records) {
        return changeAll(store, Map.of(), replaced, records);
    }

    /** Updates some columns of one row if it has the expected values. */
    SqlStatement change(StoreId store, String id, Map<String, ?> expected, Collection<String> changed, String changes) {
        List<Object> values = new ArrayList<>(List.of(changes, store.value(), id));
        return new SqlStatement(updateStatement(quoted(changed)) + expectedCondition(expected, "?", values), values);
    }

    /**
     * Updates the same columns of many rows by {@code id}; returns the ids of the changed rows. The expected values are
     * hidden from the planner: its statistics miss statuses that rows have only briefly, and it would choose a nested
     * loop over all rows.
     */
    SqlStatement changeAll(StoreId store, Map<String, ?> expected, Collection<String> changed, String changes) {
        List<Object> values = new ArrayList<>(List.of(changes, store.value()));
        String set = changed.stream()
                .map(WriteStatements::quoted)
                .map(name -> name + "=r." + name + ",")
                .collect(Collectors.joining());
        return new SqlStatement(
                "update " + table + " as t set " + set + "\"updatedAt\"=" + NEXT_UPDATED_AT
                        + " from " + rowsFromJson(changed, "?::json") + " where t.\"storeId\"=? and t.id=r.id"
                        + expectedCondition(expected, "(select ?::text)", values)
                        + " returning t.id",
                values);
    }

    /**
     * The rows {@code r} of a JSON array with their ids and these columns. Stored values are looked up only for columns
     * that a record lacks; for builds the lookup took as long as all other work.
     */
    private String rowsFromJson(Collection<String> names, String json) {
        Set<String> read = new LinkedHashSet<>(names);
        read.add("id");
        if (!columns.byName().keySet().containsAll(read)) {
            return "json_populate_recordset(null::" + table + ", " + json + ") r";
        }
        return read.stream()
                .map(name -> quoted(name) + " " + sqlType(columns.get(name).type()))
                .collect(Collectors.joining(",", "json_to_recordset(" + json + ") as r(", ")"));
    }

    private static String sqlType(FieldType type) {
        return switch (type) {
            case TEXT, CHOICE -> "text";
            case INTEGER -> "bigint";
            case DECIMAL -> "double precision";
            case INSTANT -> "timestamptz";
            case FLAG -> "boolean";
            case TEXTS, JSON -> "json";
        };
    }

    private static String expectedCondition(Map<String, ?> expected, String placeholder, List<Object> values) {
        StringBuilder condition = new StringBuilder();
        expected.forEach((name, value) -> {
            condition.append(" and t.").append(quoted(name));
            if (value == null) {
                condition.append(" is null");
            } else {
                condition.append("::text = ").append(placeholder);
                values.add(value.toString());
            }
        });
        return condition.toString();
    }

    /**
     * Inserts {@code copies}: an array of patterns, each with the {@code own} columns of its rows. A {@code drawn}
     * column gets the next number of the sequence of its name.
     */
    SqlStatement insertCopies(Collection<String> own, Collection<String> drawn, String copies) {
        List<String> names = Stream.concat(written.stream().map(Column::name), own.stream())
                .distinct()
                .toList();
        String selected = names.stream()
                .map(name -> drawn.contains(name)
                        ? "nextval('farm." + quoted(name) + "')"
                        : (own.contains(name) ? "r." : "p.") + quoted(name))
                .collect(Collectors.joining(","));
        return new SqlStatement(
                "insert into " + table + " as t (" + quoted(names) + ") select " + selected
                        + " from json_array_elements(?::json) c"
                        + " cross join lateral json_populate_record(null::" + table + ", c->'pattern') p"
                        + " cross join lateral " + rowsFromJson(own, "c->'rows'"),
                List.of(copies));
    }

    /** Deletes rows; returns the ids that existed. */
    SqlStatement delete(StoreId store, List<String> ids) {
        return new SqlStatement(
                "delete from " + table + " where \"storeId\"=? and id=any(?) returning id",
                List.of(store.value(), ids.toArray(String[]::new)));
    }

    private static String quoted(Collection<String> columns) {
        return columns.stream().map(WriteStatements::quoted).collect(Collectors.joining(","));
    }

    private static String quoted(String column) {
        if (!column.matches("[A-Za-z0-9]+")) {
            throw new IllegalArgumentException("not a column: " + column);
        }
        return "\"" + column + "\"";
    }
}
