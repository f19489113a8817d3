package farm.gantry.api.query;

import farm.gantry.Field;
import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.error.SimilarName;
import farm.gantry.api.query.Condition.Filter;
import io.micronaut.json.tree.JsonNode;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The query of a list, of known columns and validated values only. {@code after} is the cursor of the previous page.
 * {@code countTable} is the table of the number of all matching records, if there is one; otherwise they are counted.
 * {@code ignored} are unknown parameters; they are reported, not refused, so that clients may be newer than the server.
 */
public record ListQuery(
        List<Column> fields,
        List<Include> includes,
        Condition condition,
        List<Sort> sort,
        @Nullable String countTable,
        @Nullable Condition after,
        int limit,
        long offset,
        boolean meta,
        boolean hints,
        List<String> ignored) {

    private static final Set<String> LIST_PARAMETERS =
            Set.of("sort", "limit", "offset", "fields", "include", "meta", "hints", "cursor");
    private static final Set<String> RECORD_PARAMETERS = Set.of("fields", "include", "hints");
    private static final Condition NONE = new Condition.All(List.of());
    private static final int MAX_SORTS = 5;
    private static final int MAX_FIELDS = 50;
    public static final int MAX_RECORDS = 1000;
    private static final int NO_LIMIT =
            Integer.MAX_VALUE - 1; // one record more than the limit is read to detect further pages

    public ListQuery {
        fields = List.copyOf(fields);
        includes = List.copyOf(includes);
        sort = List.copyOf(sort);
    }

    /** Returns a query for all records, however many, oldest first. */
    public static ListQuery all(Columns<?> columns) {
        return new ListQuery(
                columns.all(),
                Include.parse(columns, null, columns.embeds()),
                NONE,
                withUniqueOrder(columns, List.of()),
                null,
                null,
                NO_LIMIT,
                0,
                false,
                false,
                List.of());
    }

    /** Returns a query for all records with this value in the field, however many. */
    public static <R> ListQuery all(Columns<R> columns, Field<R> field, String value) {
        return all(columns).where(Filter.of(columns.get(field), Operator.eq, value));
    }

    /** Returns a query for all records with one of these values in the field, however many. */
    public static <R> ListQuery all(Columns<R> columns, Field<R> field, Collection<String> values) {
        return all(columns).where(Filter.of(columns.get(field), Operator.in, values.toArray(String[]::new)));
    }

    /** Returns the query with the total from a table, in whose column {@code jobs} a store's number is the sum. */
    public ListQuery countedBy(String table) {
        return new ListQuery(fields, includes, condition, sort, table, after, limit, offset, meta, hints, ignored);
    }

    /** Whether all records match. */
    public boolean isUnfiltered() {
        return condition.equals(NONE);
    }

    public ListQuery where(Condition more) {
        Condition both = new Condition.All(List.of(condition, more));
        return new ListQuery(fields, includes, both, sort, null, after, limit, offset, meta, hints, ignored);
    }

    /** Returns the query with a sort order that clients cannot request, so without cursors. */
    public ListQuery sortedBy(Sort... clauses) {
        if (after != null) {
            throw OperandParser.invalid(
                    "cursor", "belongs to a list with a different sort; start again without a cursor");
        }
        return new ListQuery(
                fields, includes, condition, List.of(clauses), countTable, null, limit, offset, meta, hints, ignored);
    }

    public ListQuery page(int most, long from) {
        return new ListQuery(fields, includes, condition, sort, countTable, after, most, from, meta, hints, ignored);
    }

    /** Returns the query for the records after the one with these sort values. */
    public ListQuery following(List<String> place) {
        return new ListQuery(
                fields,
                includes,
                condition,
                sort,
                countTable,
                Cursor.after(sort, place),
                limit,
                0,
                meta,
                hints,
                ignored);
    }

    /** Returns the query without a limit; the offset stays. */
    public ListQuery unlimited() {
        return page(NO_LIMIT, offset);
    }

    public ListQuery withMeta() {
        return new ListQuery(fields, includes, condition, sort, countTable, after, limit, offset, true, hints, ignored);
    }

    public static ListQuery of(Columns<?> columns, Map<String, List<String>> parameters) {
        return of(columns, parameters, List.of());
    }

    /** Parses the query with these relations embedded in addition. */
    public static ListQuery of(Columns<?> columns, Map<String, List<String>> parameters, List<String> embedded) {
        List<Condition> filters = new ArrayList<>();
        List<String> ignored = new ArrayList<>();
        parameters.forEach((parameter, values) -> {
            if (!LIST_PARAMETERS.contains(parameter)) {
                Optional<FilterTarget> target = FilterTarget.parse(columns, parameter, parameter);
                if (target.isEmpty()) {
                    ignored.add(parameter);
                } else {
                    values.forEach(value -> filters.add(target.get().toFilter(parameter, value)));
                }
            }
        });
        return of(columns, new Condition.All(filters), parameters, embedded, ignored);
    }

    /** Returns the parameters of a list of these records; in a filter, the name of a field may be followed by an operator. */
    public static Set<String> parameters(Columns<?> columns) {
        return Stream.concat(LIST_PARAMETERS.stream(), columns.byName().keySet().stream())
                .collect(Collectors.toSet());
    }

    /** Returns the parameters of a single record. */
    public static Set<String> parametersOfOne() {
        return RECORD_PARAMETERS;
    }

    /** Parses the query of a single record: its fields and embedded relations. */
    public static ListQuery ofOne(Columns<?> columns, Map<String, List<String>> parameters) {
        return ofOne(columns, parameters, List.of());
    }

    /** Parses the query of a single record with these relations embedded in addition. */
    public static ListQuery ofOne(Columns<?> columns, Map<String, List<String>> parameters, List<String> embedded) {
        Map<String, List<String>> taken = new HashMap<>(parameters);
        taken.keySet().retainAll(RECORD_PARAMETERS);
        return of(columns, NONE, taken, embedded, List.of());
    }

    private static ListQuery of(
            Columns<?> columns,
            Condition condition,
            Map<String, List<String>> parameters,
            List<String> embedded,
            List<String> ignored) {
        List<Sort> order = withUniqueOrder(columns, parseSort(columns, firstValue(parameters, "sort")));
        String cursor = firstValue(parameters, "cursor");
        List<String> names = parseNames(firstValue(parameters, "fields"));
        return new ListQuery(
                findFields(columns, names),
                Include.parse(
                        columns,
                        firstValue(parameters, "include"),
                        Stream.concat(embedded.stream(), selectEmbeds(columns, names).stream())
                                .toList()),
                condition,
                order,
                null,
                cursor == null ? null : Cursor.after(order, cursor),
                (int) Math.min(MAX_RECORDS, parseNumber(parameters, "limit", 1, MAX_RECORDS)),
                parseNumber(parameters, "offset", 0, 0),
                parseFlag(parameters, "meta") || parseFlag(parameters, "hints"),
                parseFlag(parameters, "hints"),
                ignored);
    }

    /** Parses a search body, which has typed values and a nested filter. */
    public static ListQuery of(Columns<?> columns, JsonNode body) {
        ProblemException.throwUnlessObject(body);
        Condition condition = NONE;
        Map<String, List<String>> parameters = new HashMap<>();
        List<String> ignored = new ArrayList<>();
        for (Map.Entry<String, JsonNode> member : body.entries()) {
            String name = member.getKey();
            JsonNode value = member.getValue();
            if (value.isNull()) {
                continue;
            }
            switch (name) {
                case "filter" -> condition = SearchFilterParser.parse(columns, value);
                case "sort", "fields", "include", "cursor" ->
                    parameters.put(name, List.of(formatTyped(name, value, value.isString(), "a string")));
                case "limit", "offset" ->
                    parameters.put(name, List.of(formatTyped(name, value, value.isNumber(), "a whole number")));
                case "meta", "hints" ->
                    parameters.put(name, List.of(formatTyped(name, value, value.isBoolean(), "true or false")));
                default -> ignored.add(name);
            }
        }
        return of(columns, condition, parameters, List.of(), ignored).withMeta();
    }

    private static String formatTyped(String name, JsonNode value, boolean fits, String kind) {
        if (!fits) {
            throw OperandParser.invalid(name, "must be " + kind);
        }
        return value.coerceStringValue();
    }

    private static List<String> parseNames(@Nullable String fields) {
        if (fields == null || fields.isEmpty()) {
            return List.of();
        }
        List<String> names = Arrays.stream(fields.split(",", -1)).distinct().toList();
        if (names.size() > MAX_FIELDS) {
            throw OperandParser.invalid("fields", "takes at most " + MAX_FIELDS + " names");
        }
        return names;
    }

    private static List<Column> findFields(Columns<?> columns, List<String> names) {
        return names.isEmpty()
                ? columns.all()
                : names.stream()
                        .filter(name -> !columns.embeds().contains(name))
                        .map(name -> columns.find(name)
                                .orElseThrow(() -> OperandParser.invalid("fields", "there is no field '" + name + "'")))
                        .toList();
    }

    /** Returns the relations that are embedded by default, reduced to the given names if there are any. */
    private static List<String> selectEmbeds(Columns<?> columns, List<String> names) {
        return names.isEmpty()
                ? columns.embeds()
                : columns.embeds().stream().filter(names::contains).toList();
    }

    private static List<Sort> parseSort(Columns<?> columns, @Nullable String clauses) {
        if (clauses == null || clauses.isEmpty()) {
            return List.of();
        }
        String[] requested = clauses.split(",", -1);
        if (requested.length > MAX_SORTS) {
            throw new ProblemException(new Problem.InvalidSort("sort: takes at most " + MAX_SORTS + " clauses"));
        }
        return Arrays.stream(requested)
                .map(clause -> parseSortClause(columns, clause))
                .toList();
    }

    private static Sort parseSortClause(Columns<?> columns, String clause) {
        if (clause.startsWith("-") || clause.startsWith("+")) {
            throw new ProblemException(new Problem.InvalidSort("sort: write " + clause.substring(1)
                    + (clause.startsWith("-") ? ":desc" : ":asc") + ", not " + clause));
        }
        int colon = clause.indexOf(':');
        String name = colon < 0 ? clause : clause.substring(0, colon);
        String direction = colon < 0 ? "asc" : clause.substring(colon + 1);
        Column column = columns.find(name)
                .filter(found -> found.type().isSortable() && !found.secret())
                .orElseThrow(() -> new ProblemException(new Problem.InvalidSort("sort: '" + name
                        + "' cannot be sorted on"
                        + SimilarName.find(name, sortableNames(columns))
                                .map(similar -> "; the most similar field that can is " + similar)
                                .orElse(""))));
        if (!direction.equals("asc") && !direction.equals("desc")) {
            throw new ProblemException(
                    new Problem.InvalidSort("sort: the direction is asc or desc, not '" + direction + "'"));
        }
        return new Sort(column, direction.equals("desc"));
    }

    private static List<String> sortableNames(Columns<?> columns) {
        return columns.all().stream()
                .filter(column -> column.type().isSortable() && !column.secret())
                .map(Column::name)
                .toList();
    }

    /**
     * Returns the requested order, by default that of the resource, with a unique last column, so that paging is
     * stable.
     */
    private static List<Sort> withUniqueOrder(Columns<?> columns, List<Sort> requested) {
        List<Sort> sort = new ArrayList<>(requested);
        if (requested.isEmpty()) {
            columns.order().forEach(name -> sort.add(new Sort(columns.get(name), false)));
        }
        Column last = columns.get(columns.order().getLast());
        if (sort.stream().noneMatch(clause -> clause.column().equals(last))) {
            sort.add(new Sort(last, sort.getLast().descending()));
        }
        return sort;
    }

    private static long parseNumber(Map<String, List<String>> parameters, String name, long least, long otherwise) {
        String value = firstValue(parameters, name);
        if (value == null) {
            return otherwise;
        }
        if (value.matches("-?\\d{1,100}")) {
            BigInteger number = new BigInteger(value);
            if (number.compareTo(BigInteger.valueOf(least)) >= 0) {
                return number.min(BigInteger.valueOf(Long.MAX_VALUE)).longValueExact();
            }
        }
        throw OperandParser.invalid(name, "must be a whole number of at least " + least + ", not '" + value + "'");
    }

    private static boolean parseFlag(Map<String, List<String>> parameters, String name) {
        String value = firstValue(parameters, name);
        if (value != null && !value.equals("true") && !value.equals("false")) {
            throw OperandParser.invalid(name, "must be true or false, not '" + value + "'");
        }
        return "true".equals(value);
    }

    private static @Nullable String firstValue(Map<String, List<String>> parameters, String name) {
        List<String> values = parameters.get(name);
        return values == null || values.isEmpty() ? null : values.getFirst();
    }
}
