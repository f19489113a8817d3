package farm.gantry.api.query;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.Id;
import farm.gantry.StoreId;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Secrets;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.json.RawJson;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.security.Caller;
import farm.gantry.printer.Printer;
import io.micronaut.json.tree.JsonNode;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;

/**
 * Compares random lists and searches of generated printers, which have a field of every type, with {@link
 * ListQueryOracle}.
 */
final class QueryPropertyTest {
    private static final Table<Printer> PRINTERS = SharedApi.bean(Tables.class).of(Printer.class);
    private static final List<String> FIELDS = List.of(
            "name",
            "modelName",
            "commMethod",
            "continuousRemainingJobs",
            "lifetimePrintHours",
            "lastPrintedAt",
            "enabled",
            "tags",
            "customMetadata",
            "providerConfig");
    private static final List<String> WORDS =
            List.of("", "a", "A", "ab", "aB,c", "b%", "_", "\\", "é", "É", "a.b", "10");
    private static final List<String> NUMBERS = List.of("0", "1", "2", "-1", "1.5", "2.25", "100000000000000000000");
    private static final List<String> TREES = List.of(
            "{}",
            "{\"k\":\"a\"}",
            "{\"k\":1}",
            "{\"k\":1.0,\"l\":[1,\"a\"]}",
            "{\"k\":null}",
            "{\"k\":{\"k\":true}}",
            "{\"l\":[\"a\",{\"k\":\"b\"}]}");

    /** A condition on a field, read by both the query and the oracle. */
    record FieldFilter(Column column, List<String> path, Operator operator, List<String> values) {
        FieldType type() {
            return path.isEmpty() ? column.type() : FieldType.TEXT;
        }

        String name() {
            return column.name() + path.stream().map(step -> "." + step).collect(Collectors.joining());
        }
    }

    @Property(tries = 40)
    void listReturnsMatchingRecords(@ForAll Random random) {
        Caller owner = withPrinters(random);
        for (int i = 0; i < 8; i++) {
            List<FieldFilter> filters = new ArrayList<>();
            Map<String, List<String>> parameters = new HashMap<>();
            for (int k = random.nextInt(4); k > 0; k--) {
                FieldFilter filter = randomFilter(random);
                if (parameters.put(filter.name() + "." + filter.operator(), List.of(parameterValue(filter))) == null) {
                    filters.add(filter);
                } else {
                    filters.removeIf(
                            other -> other.name().equals(filter.name()) && other.operator() == filter.operator());
                    filters.add(filter);
                }
            }
            check(
                    owner,
                    random,
                    parameters,
                    record -> filters.stream().allMatch(filter -> ListQueryOracle.by(filter, record)));
        }
    }

    @Property(tries = 40)
    void searchReturnsMatchingRecords(@ForAll Random random) {
        Caller owner = withPrinters(random);
        for (int i = 0; i < 8; i++) {
            ListQueryOracle.Condition condition = tree(random, 3);
            JsonNode body = JsonNode.createObjectNode(Map.of("filter", condition.json()));
            List<String> found =
                    ids(PRINTERS.list(owner, ListQuery.of(PRINTERS.columns(), body), Secrets.Visibility.HIDDEN));
            List<String> expected = all(owner).stream()
                    .filter(condition::holds)
                    .map(QueryPropertyTest::id)
                    .toList();
            assertThat(found).as(condition.json().toString()).isEqualTo(expected);
            checkInMemory(
                    owner,
                    ListQuery.of(PRINTERS.columns(), body),
                    condition.json().toString(),
                    expected);
        }
    }

    @Property(tries = 15)
    void cursorReturnsEachRecordOnce(@ForAll Random random) {
        Caller owner = withPrinters(random);
        String sort = List.of("createdAt:asc", "createdAt:desc", "id", "createdAt,id:desc")
                .get(random.nextInt(4));
        List<String> whole = ids(PRINTERS.list(owner, query(Map.of("sort", sort)), Secrets.Visibility.HIDDEN));
        List<String> paged = new ArrayList<>();
        Map<String, String> parameters =
                new HashMap<>(Map.of("sort", sort, "meta", "true", "limit", String.valueOf(1 + random.nextInt(4))));
        do {
            JsonNode page = tree(PRINTERS.list(owner, query(parameters), Secrets.Visibility.HIDDEN));
            page.get("data").values().forEach(record -> paged.add(id(record)));
            JsonNode next = page.get("meta").get("nextCursor");
            parameters.put("cursor", next == null ? "" : next.getStringValue());
        } while (!parameters.getOrDefault("cursor", "").isEmpty());
        assertThat(paged).isEqualTo(whole);
    }

    private interface Matching {
        boolean holds(JsonNode record);
    }

    private static void check(Caller owner, Random random, Map<String, List<String>> filters, Matching matching) {
        List<Column> order = new ArrayList<>();
        List<Boolean> descending = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            Column column = PRINTERS.columns().get(FIELDS.get(random.nextInt(FIELDS.size())));
            if (column.type().isSortable()) {
                order.add(column);
                descending.add(random.nextBoolean());
            }
        }
        int limit = 1 + random.nextInt(15);
        int offset = random.nextInt(5);
        Map<String, List<String>> parameters = new HashMap<>(filters);
        parameters.put("limit", List.of(String.valueOf(limit)));
        parameters.put("offset", List.of(String.valueOf(offset)));
        parameters.put("meta", List.of("true"));
        List<String> clauses = new ArrayList<>();
        for (int i = 0; i < order.size(); i++) {
            clauses.add(order.get(i).name() + (descending.get(i) ? ":desc" : random.nextBoolean() ? ":asc" : ""));
        }
        if (!clauses.isEmpty()) {
            parameters.put("sort", List.of(String.join(",", clauses)));
        }
        List<JsonNode> expected = all(owner).stream()
                .filter(matching::holds)
                .sorted(ListQueryOracle.order(order, descending))
                .toList();
        JsonNode page =
                tree(PRINTERS.list(owner, ListQuery.of(PRINTERS.columns(), parameters), Secrets.Visibility.HIDDEN));
        assertThat(page.get("data").values())
                .as(parameters.toString())
                .extracting(QueryPropertyTest::id)
                .isEqualTo(expected.stream()
                        .skip(offset)
                        .limit(limit)
                        .map(QueryPropertyTest::id)
                        .toList());
        assertThat(page.get("meta").get("total").getIntValue())
                .as(parameters.toString())
                .isEqualTo(expected.size());
        assertThat(page.get("meta").get("hasMore").getBooleanValue()).isEqualTo(expected.size() > offset + limit);
        checkInMemory(
                owner,
                ListQuery.of(PRINTERS.columns(), parameters),
                filters.toString(),
                expected.stream().map(QueryPropertyTest::id).toList());
    }

    /** Checks that lists in memory give the same result; their records have no JSON fields. */
    private static void checkInMemory(Caller owner, ListQuery query, String text, List<String> expected) {
        if (!query.condition().toString().contains("type=JSON")) {
            List<String> found = all(owner).stream()
                    .filter(record -> InMemoryEvaluator.matches(record, query.condition()))
                    .sorted(InMemoryEvaluator.comparator(query.sort()))
                    .map(QueryPropertyTest::id)
                    .toList();
            assertThat(found).as(text).isEqualTo(expected);
        }
    }

    private static ListQuery query(Map<String, String> parameters) {
        return ListQuery.of(
                PRINTERS.columns(),
                parameters.entrySet().stream()
                        .collect(Collectors.toMap(Map.Entry::getKey, entry -> List.of(entry.getValue()))));
    }

    private static ListQueryOracle.Condition tree(Random random, int depth) {
        if (depth == 0 || random.nextInt(3) == 0) {
            return new ListQueryOracle.Condition.One(randomFilter(random));
        }
        if (random.nextInt(4) == 0) {
            return new ListQueryOracle.Condition.Not(tree(random, depth - 1));
        }
        List<ListQueryOracle.Condition> parts = new ArrayList<>();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            parts.add(tree(random, depth - 1));
        }
        return random.nextBoolean()
                ? new ListQueryOracle.Condition.And(parts)
                : new ListQueryOracle.Condition.Or(parts);
    }

    private static FieldFilter randomFilter(Random random) {
        Columns<Printer> columns = PRINTERS.columns();
        Column column = columns.get(any(random, FIELDS));
        List<String> path = column.type() == FieldType.JSON && random.nextBoolean()
                ? any(random, List.of(List.of("k"), List.of("k", "k"), List.of("l", "0"), List.of("l", "1", "k")))
                : List.of();
        FieldType type = path.isEmpty() ? column.type() : FieldType.TEXT;
        List<Operator> operators =
                Arrays.stream(Operator.values()).filter(type::supports).toList();
        Operator operator = any(random, operators);
        int count = switch (operator) {
            case between -> 2;
            case in, notIn -> 1 + random.nextInt(3);
            case eq, ne -> type == FieldType.TEXTS ? random.nextInt(3) : 1;
            default -> 1;
        };
        List<String> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            values.add(operator == Operator.isNull ? String.valueOf(random.nextBoolean()) : value(random, type));
        }
        return new FieldFilter(column, path, operator, values);
    }

    private static String value(Random random, FieldType type) {
        return switch (type) {
            case TEXT -> any(random, WORDS);
            case CHOICE -> any(random, List.of("fuse", "vendorB-mqtt", "nonsense", "FUSE"));
            case INTEGER -> any(random, NUMBERS);
            case DECIMAL -> any(random, NUMBERS.subList(0, 6));
            case INSTANT -> instant(random).toString();
            case FLAG -> String.valueOf(random.nextBoolean());
            case TEXTS -> any(random, WORDS.subList(1, WORDS.size()));
            case JSON -> any(random, TREES);
        };
    }

    private static Instant instant(Random random) {
        return Instant.parse("2026-01-01T00:00:00Z").plusMillis(random.nextInt(4) * 500L);
    }

    private static <T> T any(Random random, List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    /** Returns the filter as a parameter's value; values and array elements are separated by commas. */
    private static String parameterValue(FieldFilter filter) {
        boolean several = filter.values().size() != 1
                || filter.operator() == Operator.in
                || filter.operator() == Operator.notIn
                || (filter.type() == FieldType.TEXTS
                        && (filter.operator() == Operator.eq || filter.operator() == Operator.ne));
        return several
                ? filter.values().stream()
                        .map(value -> value.replace("\\", "\\\\").replace(",", "\\,"))
                        .collect(Collectors.joining(","))
                : filter.values().getFirst();
    }

    private static Caller withPrinters(Random random) {
        StoreId store = SharedApi.newStore().id();
        List<Printer> printers = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            printers.add(printer(random, store));
        }
        SharedApi.bean(Database.class).in(store, tx -> PRINTERS.insertAll(tx, printers, Secrets.Visibility.HIDDEN));
        return new Caller(store, Id.next(), true, Set.of());
    }

    private static Printer printer(Random random, StoreId store) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("id", Id.next());
        fields.put("storeId", store.value());
        fields.put("createdAt", instant(random).toString());
        fields.put("updatedAt", instant(random).toString());
        fields.put("lifetimeJobCount", 0);
        fields.put("lifetimePrintHours", Double.parseDouble(any(random, NUMBERS.subList(0, 6))));
        fields.put("continuousRemainingJobs", random.nextBoolean() ? random.nextInt(3) : null);
        fields.put("lastPrintedAt", random.nextBoolean() ? instant(random).toString() : null);
        fields.put("providerConfig", random.nextBoolean() ? Answer.tree(Client.utf8(any(random, TREES))) : null);
        Map<String, @Nullable Object> body = new LinkedHashMap<>();
        body.put("name", any(random, WORDS.subList(1, WORDS.size())));
        body.put("modelName", random.nextInt(3) == 0 ? null : any(random, WORDS));
        body.put("nozzleDiameter", "0.4");
        body.put("commMethod", random.nextInt(3) == 0 ? null : any(random, List.of("fuse", "vendorB-mqtt")));
        body.put("enabled", random.nextBoolean());
        body.put(
                "tags",
                random.ints(random.nextInt(3), 1, WORDS.size())
                        .mapToObj(WORDS::get)
                        .toList());
        body.put("customMetadata", Answer.tree(Client.utf8(any(random, TREES))));
        RecordReader reader = SharedApi.bean(RecordReader.class);
        return reader.read(Printer.class, reader.toTree(body), reader.toTree(fields));
    }

    private static List<JsonNode> all(Caller owner) {
        List<JsonNode> records = new ArrayList<>();
        tree(PRINTERS.list(owner, ListQuery.all(PRINTERS.columns()), Secrets.Visibility.HIDDEN))
                .values()
                .forEach(records::add);
        records.sort(Comparator.comparing(
                        (JsonNode record) -> record.get("createdAt").getStringValue())
                .thenComparing(QueryPropertyTest::id));
        return records;
    }

    private static JsonNode tree(RawJson<?> json) {
        return Answer.tree(Arrays.copyOf(json.bytes(), json.length()));
    }

    private static List<String> ids(RawJson<?> json) {
        JsonNode tree = tree(json);
        List<String> ids = new ArrayList<>();
        (tree.isArray() ? tree : tree.get("data")).values().forEach(record -> ids.add(id(record)));
        return ids;
    }

    private static String id(JsonNode record) {
        return record.get("id").getStringValue();
    }

    static BigDecimal number(String text) {
        return new BigDecimal(text);
    }
}
