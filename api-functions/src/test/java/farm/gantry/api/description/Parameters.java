package farm.gantry.api.description;

import static farm.gantry.api.description.Trees.object;

import farm.gantry.api.query.Column;
import farm.gantry.api.query.Columns;
import farm.gantry.api.query.FieldType;
import farm.gantry.api.query.InMemory;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.query.Operator;
import farm.gantry.api.query.Relation;
import farm.gantry.macro.GcodeMacro;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Describes the query parameters of lists: those of every list, and one filter per field. */
final class Parameters {
    /** The number of fields with which every record begins. */
    private static final int SHARED = 4;

    private static final List<String> OF_LISTS_IN_MEMORY =
            List.of("sort", "limit", "offset", "fields", "meta", "hints");

    private Parameters() {}

    /** Returns the shared parameters by the names under which operations refer to them. */
    static Map<String, Map<String, @Nullable Object>> common() {
        Map<String, Map<String, @Nullable Object>> all = new LinkedHashMap<>();
        add(
                all,
                "sort",
                object("type", "string"),
                "At most 5 clauses `field:asc` or `field:desc`, comma-separated, applied "
                        + "in order; without direction ascending. Not by JSON or array fields.");
        add(
                all,
                "limit",
                object("type", "integer", "format", "int32", "minimum", 1, "default", ListQuery.MAX_RECORDS),
                "Most records of the answer; more than " + ListQuery.MAX_RECORDS + " counts as that.");
        add(
                all,
                "offset",
                object("type", "integer", "format", "int64", "minimum", 0, "default", 0),
                "Matching records to skip.");
        add(
                all,
                "cursor",
                object("type", "string"),
                "`meta.nextCursor` of the page before: its cost does not grow with depth. "
                        + "Takes the same sort and filters.");
        add(
                all,
                "fields",
                object("type", "string"),
                "At most 50 field names, comma-separated; the records hold only these.");
        add(
                all,
                "include",
                object("type", "string"),
                "At most 4 relations to embed, comma-separated, each at most 2 levels deep " + "(`linkedParts.part`).");
        add(
                all,
                "meta",
                object("type", "boolean", "default", false),
                "With `true` the answer is `{data, meta}`, else a bare array.");
        add(
                all,
                "hints",
                object("type", "boolean", "default", false),
                "With `true` the answer has `hints`, what the caller may do next; "
                        + "a list is then `{data, meta, hints}`.");
        List<Column> columns = Columns.of(GcodeMacro.class).all();
        for (Column column : columns.subList(0, SHARED)) {
            filters(column).forEach(filter -> all.put(String.valueOf(filter.get("name")), filter));
        }
        return all;
    }

    private static void add(
            Map<String, Map<String, @Nullable Object>> all,
            String name,
            Map<String, @Nullable Object> schema,
            String description) {
        all.put(name, object("name", name, "in", "query", "description", description, "schema", schema));
    }

    /** Returns the parameters of a list of these records. */
    static List<Map<String, @Nullable Object>> of(Class<?> record) {
        List<Map<String, @Nullable Object>> parameters = new ArrayList<>();
        if (record.isAnnotationPresent(InMemory.class)) {
            OF_LISTS_IN_MEMORY.forEach(name -> parameters.add(reference(name)));
            Columns.of(record).all().forEach(column -> parameters.add(filter(column)));
            return parameters;
        }
        common().keySet().forEach(name -> parameters.add(name.equals("include") ? include(record) : reference(name)));
        Columns<?> columns = Columns.of(record);
        Stream<Column> onRequest =
                columns.byName().values().stream().filter(Column::onRequest).sorted(Comparator.comparing(Column::name));
        Stream.concat(columns.all().stream().skip(SHARED), onRequest)
                .filter(column -> !column.secret())
                .forEach(column -> parameters.add(filter(column)));
        return parameters;
    }

    /** Returns the header parameters. */
    static Map<String, Map<String, @Nullable Object>> headers() {
        Map<String, Map<String, @Nullable Object>> all = new LinkedHashMap<>();
        header(
                all,
                "If-None-Match",
                "Entity tags of answers that you have: where one is this answer's, 304 without a body.");
        header(
                all,
                "If-Match",
                "The `ETag` of the record as `GET` without parameters answered it: where the record has changed since,"
                        + " 412 and nothing is changed. `*` is every one; weak tags match none. Changes without this"
                        + " parameter refuse the header by 400.");
        header(
                all,
                "Idempotency-Key",
                "At most 255 characters. For 24 hours the same request with the same key is not carried out again, but "
                        + "answered as it was, with `Idempotency-Replayed: true`.");
        header(
                all,
                "Prefer",
                "`handling=strict` makes an unknown parameter or field an error that names the most similar known one. "
                        + "Without it, what is unknown is ignored and named in the response header `Gantry-Ignored`.");
        return all;
    }

    private static void header(Map<String, Map<String, @Nullable Object>> all, String name, String description) {
        all.put(
                name,
                object("name", name, "in", "header", "description", description, "schema", object("type", "string")));
    }

    /** Returns the parameters of the route of a single record. */
    static List<Map<String, @Nullable Object>> ofOne(Class<?> record) {
        return List.of(reference("fields"), include(record), reference("hints"));
    }

    static Map<String, @Nullable Object> reference(String name) {
        return object("$ref", "#/components/parameters/" + name);
    }

    private static Map<String, @Nullable Object> include(Class<?> record) {
        Map<String, Relation> relations = new TreeMap<>(Relation.of(Columns.of(record)));
        if (relations.isEmpty()) {
            return reference("include");
        }
        String names = relations.keySet().stream().map(name -> "`" + name + "`").collect(Collectors.joining(", "));
        Map<String, @Nullable Object> parameter = new LinkedHashMap<>(common().getOrDefault("include", Map.of()));
        parameter.put("description", parameter.get("description") + " These relations: " + names + ".");
        return parameter;
    }

    /** Returns the filters of a field that every record has, with the operators for synchronizing changes. */
    private static List<Map<String, @Nullable Object>> filters(Column column) {
        List<Map<String, @Nullable Object>> filters = new ArrayList<>(List.of(filter(column)));
        if (column.name().equals("id")) {
            filters.add(filter("id.in", "One of at most 100 ids, comma-separated."));
        } else if (column.type() == FieldType.INSTANT) {
            for (Operator by : List.of(Operator.gt, Operator.gte, Operator.lt, Operator.lte)) {
                filters.add(filter(column.name() + "." + by, "An ISO 8601 date or date-time."));
            }
        }
        return filters;
    }

    private static Map<String, @Nullable Object> filter(Column column) {
        String operators = Arrays.stream(Operator.values())
                .filter(by -> by != Operator.eq && column.type().supports(by))
                .map(by -> "`." + by + "`")
                .collect(Collectors.joining(", "));
        return filter(column.name(), means(column.type()) + " Also " + operators + ".");
    }

    private static String means(FieldType type) {
        return switch (type) {
            case TEXT -> "Exactly this text.";
            case CHOICE -> "Exactly this word.";
            case INTEGER, DECIMAL -> "Exactly this number.";
            case INSTANT -> "Exactly this ISO 8601 date or date-time.";
            case FLAG -> "`true` or `false`.";
            case TEXTS -> "Exactly this list, comma-separated.";
            case JSON -> "Exactly this JSON; a dotted path compares what lies inside as text.";
        };
    }

    private static Map<String, @Nullable Object> filter(String name, String description) {
        return object("name", name, "in", "query", "description", description, "schema", object("type", "string"));
    }
}
