package farm.gantry.api.database;

import farm.gantry.StoreId;
import farm.gantry.api.query.Column;
import farm.gantry.api.query.Columns;
import farm.gantry.api.query.Condition;
import farm.gantry.api.query.Condition.Filter;
import farm.gantry.api.query.Cursor;
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

/** An SQL statement and its bound values. Column names come from records; all other values are bound. */
record SqlStatement(String sql, List<Object> values) {

    static String fromClause(Columns<?> columns) {
        return "farm.\"" + columns.table() + "\"";
    }

    /** Returns the select list of the columns, which PostgreSQL sends as text. */
    static String selectList(List<Column> columns) {
        return String.join(",", selectExpressions(columns));
    }

    private static List<String> selectExpressions(List<Column> columns) {
        return columns.stream()
                .map(column -> column.secret() ? "'redacted'" : name(column))
                .collect(Collectors.toCollection(ArrayList::new));
    }

    /** Returns the select list of the fields and of the key columns of the includes. */
    private static String selectExpressions(List<Column> fields, List<String> more, List<Include> includes) {
        List<String> all = selectExpressions(fields);
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
    static SqlStatement selectPage(Columns<?> columns, StoreId store, ListQuery query) {
        List<Object> values = new ArrayList<>();
        String condition = whereClause(store, query, values);
        List<String> more = new ArrayList<>();
        if (query.meta()) {
            if (query.countTable() == null) {
                more.add("(select count(*) from " + fromClause(columns) + " t where " + condition + ")");
                values.addAll(List.copyOf(values));
            } else {
                more.add("(" + storedCount(query.countTable()) + ")");
                values.addFirst(store.value());
            }
            if (Cursor.supports(query.sort())) {
                query.sort().forEach(clause -> more.add(name(clause.column())));
            }
        }
        return page(
                selectExpressions(query.fields(), more, query.includes()),
                columns,
                query,
                condition,
                values,
                query.meta() ? query.limit() + 1 : query.limit());
    }

    /** Selects the ids and the sort values of the records of a list. */
    static SqlStatement selectKeys(Columns<?> columns, StoreId store, ListQuery query) {
        List<Object> values = new ArrayList<>();
        String condition = whereClause(store, query, values);
        String sorted =
                query.sort().stream().map(clause -> name(clause.column())).collect(Collectors.joining(","));
        return page("t.id," + sorted, columns, query, condition, values, query.limit());
    }

    /** Selects these expressions of the records after the query's cursor that meet the condition, whose values are given. */
    private static SqlStatement page(
            String expressions, Columns<?> columns, ListQuery query, String condition, List<Object> values, int limit) {
        String remaining = query.after() == null ? condition : condition + " and " + condition(query.after(), values);
        values.add(limit);
        values.add(query.offset());
        String order = query.sort().stream()
                .map(clause -> name(clause.column()) + (clause.descending() ? " desc" : ""))
                .collect(Collectors.joining(","));
        return new SqlStatement(
                "select " + expressions + " from " + fromClause(columns) + " t where " + remaining + " order by "
                        + order + " limit ? offset ?",
                values);
    }

    /** Selects the existing records of the ids, oldest first. */
    static SqlStatement selectByIds(Columns<?> columns, StoreId store, ListQuery query, List<String> ids) {
        return new SqlStatement(
                "select " + selectExpressions(query.fields(), List.of("t.id"), query.includes()) + " from "
                        + fromClause(columns)
                        + " t where t.\"storeId\"=? and t.id=any(?) order by t.\"createdAt\", t.id",
                List.of(store.value(), ids.toArray(String[]::new)));
    }

    /** Selects the included records for the key values; each row ends with its key. */
    static SqlStatement selectRelated(StoreId store, Include include, String[] values, int maxRows) {
        Columns<?> target = include.relation().target();
        String there = name(include.relation().there());
        return new SqlStatement(
                "select " + selectExpressions(target.all(), List.of(there), include.within()) + " from "
                        + fromClause(target) + " t where t.\"storeId\"=? and " + there
                        + "=any(?) order by t.\"createdAt\", t.id limit ?",
                List.of(store.value(), values, maxRows));
    }

    static SqlStatement selectCount(Columns<?> columns, StoreId store, ListQuery query) {
        if (query.countTable() != null) {
            return new SqlStatement(storedCount(query.countTable()), List.of(store.value()));
        }
        List<Object> values = new ArrayList<>();
        return new SqlStatement(
                "select count(*) from " + fromClause(columns) + " t where " + whereClause(store, query, values),
                values);
    }

    private static String storedCount(String table) {
        return "select coalesce(sum(n.jobs), 0) from farm.\"" + table + "\" n where n.\"storeId\"=?";
    }

    private static String whereClause(StoreId store, ListQuery query, List<Object> values) {
        values.add(store.value());
        return "t.\"storeId\"=? and " + condition(query.condition(), values);
    }

    private static String condition(Condition condition, List<Object> values) {
        return switch (condition) {
            case Condition.All all -> joinConditions(all.parts(), " and ", "true", values);
            case Condition.Any any -> joinConditions(any.parts(), " or ", "false", values);
            case Condition.Not not -> "(" + condition(not.part(), values) + " is not true)";
            case Filter filter -> "(" + filterCondition(filter, values) + ")";
        };
    }

    private static String joinConditions(List<Condition> parts, String word, String ofNone, List<Object> values) {
        return parts.isEmpty()
                ? ofNone
                : parts.stream().map(part -> condition(part, values)).collect(Collectors.joining(word, "(", ")"));
    }

    private static String filterCondition(Filter filter, List<Object> values) {
        if (!filter.path().isEmpty()) {
            values.add(filter.path().toArray(String[]::new));
            return textCondition("(" + name(filter.column()) + "#>>?)", filter, values);
        }
        String column = name(filter.column());
        return switch (filter.column().type()) {
            case TEXT, CHOICE -> textCondition(column, filter, values);
            case INTEGER -> typedCondition(column, fitsBigint(filter) ? "bigint" : "numeric", filter, values);
            case DECIMAL -> typedCondition(column, "double precision", filter, values);
            case INSTANT -> typedCondition(column, "timestamptz", filter, values);
            case FLAG -> typedCondition(column, "boolean", filter, values);
            case TEXTS -> textsCondition(column, filter, values);
            case JSON -> jsonCondition(column, filter, values);
        };
    }

    /** Whether every operand fits a bigint, so that an index can be used. */
    private static boolean fitsBigint(Filter filter) {
        return filter.operands().stream().allMatch(operand -> operand.matches("-?\\d{1,18}|true|false"));
    }

    private static String textCondition(String column, Filter filter, List<Object> values) {
        return switch (filter.operator()) {
            case contains -> ilikeCondition(column, "%" + escapeLikePattern(filter) + "%", values);
            case startsWith -> ilikeCondition(column, escapeLikePattern(filter) + "%", values);
            case endsWith -> ilikeCondition(column, "%" + escapeLikePattern(filter), values);
            case eq, ne, in, notIn, isNull, gt, gte, lt, lte, between -> typedCondition(column, "text", filter, values);
        };
    }

    private static String ilikeCondition(String column, String pattern, List<Object> values) {
        values.add(pattern);
        return column + " ilike ?";
    }

    private static String escapeLikePattern(Filter filter) {
        return filter.operand().replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_");
    }

    private static String typedCondition(String column, String type, Filter filter, List<Object> values) {
        String value = "?::" + type;
        return switch (filter.operator()) {
            case eq -> withBoundOperand(column + "=" + value, filter, values);
            case ne -> withBoundOperand(column + " is distinct from " + value, filter, values);
            case gt -> withBoundOperand(column + ">" + value, filter, values);
            case gte -> withBoundOperand(column + ">=" + value, filter, values);
            case lt -> withBoundOperand(column + "<" + value, filter, values);
            case lte -> withBoundOperand(column + "<=" + value, filter, values);
            case between -> withBoundOperand(column + " between " + value + " and " + value, filter, values);
            case in -> withBoundArray(column + "=any(?::text[]::" + type + "[])", filter, values);
            case notIn ->
                withBoundArray("(" + column + "<>all(?::text[]::" + type + "[])) is not false", filter, values);
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
            case eq -> withBoundArray(column + "::jsonb=to_jsonb(?::text[])", filter, values);
            case ne -> withBoundArray(column + "::jsonb is distinct from to_jsonb(?::text[])", filter, values);
            case contains -> withBoundOperand("jsonb_exists(" + column + "::jsonb,?)", filter, values);
            case in -> withBoundArray("jsonb_exists_any(" + column + "::jsonb,?)", filter, values);
            case isNull -> typedCondition(column, "text", filter, values);
            case notIn, gt, gte, lt, lte, between, startsWith, endsWith -> throw unexpected(filter);
        };
    }

    private static String jsonCondition(String column, Filter filter, List<Object> values) {
        return switch (filter.operator()) {
            case eq -> withBoundOperand(column + "::jsonb=?::jsonb", filter, values);
            case ne -> withBoundOperand(column + "::jsonb is distinct from ?::jsonb", filter, values);
            case contains -> withBoundOperand(column + "::jsonb @> ?::jsonb", filter, values);
            case isNull -> typedCondition(column, "text", filter, values);
            case in, notIn, gt, gte, lt, lte, between, startsWith, endsWith -> throw unexpected(filter);
        };
    }

    private static String withBoundOperand(String condition, Filter filter, List<Object> values) {
        values.addAll(filter.operands());
        return condition;
    }

    private static String withBoundArray(String condition, Filter filter, List<Object> values) {
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
