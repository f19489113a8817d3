package farm.gantry.api.database;

import farm.gantry.StoreId;
import farm.gantry.api.query.Column;
import farm.gantry.api.query.Columns;
import farm.gantry.api.query.Condition;
import farm.gantry.api.query.Cursor;
import farm.gantry.api.query.Filter;
import farm.gantry.api.query.Include;
import farm.gantry.api.query.ListQuery;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** An SQL text and its bound values. Column names come from records; everything else is bound. */
record SqlStatement(String sql, List<Object> values) {

    static String from(Columns<?> columns) {
        return "farm.\"" + columns.table() + "\"";
    }

    /** The selected columns, which PostgreSQL sends as text. */
    static String reads(List<Column> columns) {
        return String.join(",", selected(columns));
    }

    private static List<String> selected(List<Column> columns) {
        return columns.stream()
                .map(column -> column.secret() ? "'redacted'" : name(column))
                .collect(Collectors.toCollection(ArrayList::new));
    }

    /** The fields and the key columns of the includes. */
    private static String selected(List<Column> fields, List<String> more, List<Include> includes) {
        List<String> all = selected(fields);
        all.addAll(more);
        includes.forEach(include -> all.add(name(include.relation().here())));
        return String.join(",", all);
    }

    private static String name(Column column) {
        return "t.\"" + column.name() + "\"";
    }

    /**
     * Selects a page. With meta it selects one more record, to detect further pages, and on each row the total and the
     * sort values; the includes' key columns come last.
     */
    static SqlStatement list(Columns<?> columns, StoreId store, ListQuery query) {
        List<Object> values = new ArrayList<>();
        String condition = where(store, query, values);
        List<String> more = new ArrayList<>();
        if (query.meta()) {
            more.add("(select count(*) from " + from(columns) + " t where " + condition + ")");
            values.addAll(List.copyOf(values));
            if (Cursor.fits(query.sort())) {
                query.sort().forEach(clause -> more.add(name(clause.column())));
            }
        }
        if (query.after() != null) {
            condition += " and " + condition(query.after(), values);
        }
        values.add(query.meta() ? query.limit() + 1 : query.limit());
        values.add(query.offset());
        String order = query.sort().stream()
                .map(clause -> name(clause.column()) + (clause.descending() ? " desc" : ""))
                .collect(Collectors.joining(","));
        return new SqlStatement(
                "select " + selected(query.fields(), more, query.includes()) + " from " + from(columns) + " t where "
                        + condition + " order by " + order + " limit ? offset ?",
                values);
    }

    /** Selects the existing records of the ids, oldest first. */
    static SqlStatement byIds(Columns<?> columns, StoreId store, ListQuery query, List<String> ids) {
        return new SqlStatement(
                "select " + selected(query.fields(), List.of("t.id"), query.includes()) + " from " + from(columns)
                        + " t where t.\"storeId\"=? and t.id=any(?) order by t.\"createdAt\", t.id",
                List.of(store.value(), ids.toArray(String[]::new)));
    }

    /** Selects the included records for the key values; each row ends with its key. */
    static SqlStatement related(StoreId store, Include include, String[] values, int maxRows) {
        Columns<?> target = include.relation().target();
        String there = name(include.relation().there());
        return new SqlStatement(
                "select " + selected(target.all(), List.of(there), include.within()) + " from " + from(target)
                        + " t where t.\"storeId\"=? and " + there + "=any(?) order by t.\"createdAt\", t.id limit ?",
                List.of(store.value(), values, maxRows));
    }

    static SqlStatement count(Columns<?> columns, StoreId store, ListQuery query) {
        List<Object> values = new ArrayList<>();
        return new SqlStatement(
                "select count(*) from " + from(columns) + " t where " + where(store, query, values), values);
    }

    private static String where(StoreId store, ListQuery query, List<Object> values) {
        values.add(store.value());
        return "t.\"storeId\"=? and " + condition(query.condition(), values);
    }

    private static String condition(Condition condition, List<Object> values) {
        return switch (condition) {
            case Condition.All all -> joined(all.parts(), " and ", "true", values);
            case Condition.Any any -> joined(any.parts(), " or ", "false", values);
            case Condition.Not not -> "(" + condition(not.part(), values) + " is not true)";
            case Filter filter -> "(" + filter(filter, values) + ")";
        };
    }

    private static String joined(List<Condition> parts, String word, String ofNone, List<Object> values) {
        return parts.isEmpty()
                ? ofNone
                : parts.stream().map(part -> condition(part, values)).collect(Collectors.joining(word, "(", ")"));
    }

    private static String filter(Filter filter, List<Object> values) {
        if (!filter.path().isEmpty()) {
            values.add(filter.path().toArray(String[]::new));
            return textCondition("(" + name(filter.column()) + "#>>?)", filter, values);
        }
        String column = name(filter.column());
        return switch (filter.column().type()) {
            case TEXT, CHOICE -> textCondition(column, filter, values);
            case INTEGER -> typedCondition(column, integral(filter) ? "bigint" : "numeric", filter, values);
            case DECIMAL -> typedCondition(column, "double precision", filter, values);
            case INSTANT -> typedCondition(column, "timestamptz", filter, values);
            case FLAG -> typedCondition(column, "boolean", filter, values);
            case TEXTS -> textsCondition(column, filter, values);
            case JSON -> jsonCondition(column, filter, values);
        };
    }

    /** Whether every operand fits a bigint, so that an index can be used. */
    private static boolean integral(Filter filter) {
        return filter.operands().stream().allMatch(operand -> operand.matches("-?\\d{1,18}|true|false"));
    }

    private static String textCondition(String column, Filter filter, List<Object> values) {
        return switch (filter.operator()) {
            case contains -> like(column, "%" + escaped(filter) + "%", values);
            case startsWith -> like(column, escaped(filter) + "%", values);
            case endsWith -> like(column, "%" + escaped(filter), values);
            case eq, ne, in, notIn, isNull, gt, gte, lt, lte, between -> typedCondition(column, "text", filter, values);
        };
    }

    private static String like(String column, String pattern, List<Object> values) {
        values.add(pattern);
        return column + " ilike ?";
    }

    private static String escaped(Filter filter) {
        return filter.operand().replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_");
    }

    private static String typedCondition(String column, String type, Filter filter, List<Object> values) {
        String value = "?::" + type;
        return switch (filter.operator()) {
            case eq -> bound(column + "=" + value, filter, values);
            case ne -> bound(column + " is distinct from " + value, filter, values);
            case gt -> bound(column + ">" + value, filter, values);
            case gte -> bound(column + ">=" + value, filter, values);
            case lt -> bound(column + "<" + value, filter, values);
            case lte -> bound(column + "<=" + value, filter, values);
            case between -> bound(column + " between " + value + " and " + value, filter, values);
            case in -> array(column + "=any(?::text[]::" + type + "[])", filter, values);
            case notIn -> array("(" + column + "<>all(?::text[]::" + type + "[])) is not false", filter, values);
            case isNull -> column + (filter.operand().equals("true") ? " is null" : " is not null");
            case contains, startsWith, endsWith -> throw unexpected(filter);
        };
    }

    /**
     * Condition on a JSON array of strings: the bare operator compares the whole array, {@code contains} finds an
     * element, {@code in} any of several.
     */
    private static String textsCondition(String column, Filter filter, List<Object> values) {
        return switch (filter.operator()) {
            case eq -> array(column + "::jsonb=to_jsonb(?::text[])", filter, values);
            case ne -> array(column + "::jsonb is distinct from to_jsonb(?::text[])", filter, values);
            case contains -> bound("jsonb_exists(" + column + "::jsonb,?)", filter, values);
            case in -> array("jsonb_exists_any(" + column + "::jsonb,?)", filter, values);
            case isNull -> typedCondition(column, "text", filter, values);
            case notIn, gt, gte, lt, lte, between, startsWith, endsWith -> throw unexpected(filter);
        };
    }

    private static String jsonCondition(String column, Filter filter, List<Object> values) {
        return switch (filter.operator()) {
            case eq -> bound(column + "::jsonb=?::jsonb", filter, values);
            case ne -> bound(column + "::jsonb is distinct from ?::jsonb", filter, values);
            case contains -> bound(column + "::jsonb @> ?::jsonb", filter, values);
            case isNull -> typedCondition(column, "text", filter, values);
            case in, notIn, gt, gte, lt, lte, between, startsWith, endsWith -> throw unexpected(filter);
        };
    }

    private static String bound(String condition, Filter filter, List<Object> values) {
        values.addAll(filter.operands());
        return condition;
    }

    private static String array(String condition, Filter filter, List<Object> values) {
        values.add(filter.operands().toArray(String[]::new));
        return condition;
    }

    private static IllegalArgumentException unexpected(Filter filter) {
        return new IllegalArgumentException(filter.column().name() + " does not take " + filter.operator());
    }

    static PreparedStatement bind(Connection connection, String sql, List<? extends @Nullable Object> values)
            throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        try {
            for (int i = 0; i < values.size(); i++) {
                switch (values.get(i)) {
                    case null -> statement.setNull(i + 1, Types.VARCHAR);
                    case String text -> statement.setString(i + 1, text);
                    case Integer number -> statement.setInt(i + 1, number);
                    case Long number -> statement.setLong(i + 1, number);
                    case Boolean flag -> statement.setBoolean(i + 1, flag);
                    case String[] texts -> statement.setArray(i + 1, connection.createArrayOf("text", texts));
                    case Object other -> throw new IllegalArgumentException("cannot bind " + other.getClass());
                }
            }
            return statement;
        } catch (SQLException | RuntimeException e) {
            statement.close();
            throw e;
        }
    }
}
