package farm.gantry.api.query;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.query.QueryPropertyTest.FieldFilter;
import io.micronaut.json.tree.JsonNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Evaluates list queries record by record on JSON, as a reference for the results of the database. */
final class ListQueryOracle {
    private ListQueryOracle() {}

    /** A filter of a search, which a record meets or not. */
    sealed interface Condition {
        JsonNode json();

        boolean holds(JsonNode record);

        record One(FieldFilter filter) implements Condition {
            @Override
            public JsonNode json() {
                return object(filter.name(), object(filter.operator().name(), typed(filter)));
            }

            @Override
            public boolean holds(JsonNode record) {
                return by(filter, record);
            }
        }

        record And(List<Condition> parts) implements Condition {
            @Override
            public JsonNode json() {
                return object("and", array(parts));
            }

            @Override
            public boolean holds(JsonNode record) {
                return parts.stream().allMatch(part -> part.holds(record));
            }
        }

        record Or(List<Condition> parts) implements Condition {
            @Override
            public JsonNode json() {
                return object("or", array(parts));
            }

            @Override
            public boolean holds(JsonNode record) {
                return parts.stream().anyMatch(part -> part.holds(record));
            }
        }

        record Not(Condition part) implements Condition {
            @Override
            public JsonNode json() {
                return object("not", part.json());
            }

            @Override
            public boolean holds(JsonNode record) {
                return !part.holds(record);
            }
        }
    }

    private static JsonNode object(String name, JsonNode value) {
        return JsonNode.createObjectNode(Map.of(name, value));
    }

    private static JsonNode array(List<Condition> parts) {
        return JsonNode.createArrayNode(parts.stream().map(Condition::json).toList());
    }

    private static JsonNode typed(FieldFilter filter) {
        boolean several = filter.operator() == Operator.in
                || filter.operator() == Operator.notIn
                || filter.operator() == Operator.between
                || (filter.type() == FieldType.TEXTS
                        && (filter.operator() == Operator.eq || filter.operator() == Operator.ne));
        FieldType type = filter.operator() == Operator.isNull ? FieldType.FLAG : filter.type();
        List<JsonNode> values =
                filter.values().stream().map(value -> typed(type, value)).toList();
        return several ? JsonNode.createArrayNode(values) : values.getFirst();
    }

    private static JsonNode typed(FieldType type, String value) {
        return switch (type) {
            case TEXT, CHOICE, TEXTS, INSTANT -> JsonNode.createStringNode(value);
            case INTEGER, DECIMAL -> JsonNode.createNumberNode(new BigDecimal(value));
            case FLAG -> JsonNode.createBooleanNode(Boolean.parseBoolean(value));
            case JSON -> Answer.tree(Client.utf8(value));
        };
    }

    static boolean by(FieldFilter filter, JsonNode record) {
        JsonNode value = record.get(filter.column().name());
        for (String step : filter.path()) {
            value = value == null ? null : step(value, step);
        }
        JsonNode present = value == null || value.isNull() ? null : value;
        return switch (filter.operator()) {
            case isNull -> (present == null) == filter.values().getFirst().equals("true");
            case ne, notIn -> present == null || !is(filter, present);
            default -> present != null && is(filter, present);
        };
    }

    private static @Nullable JsonNode step(JsonNode value, String step) {
        if (value.isArray()) {
            int index = step.matches("\\d") ? Integer.parseInt(step) : -1;
            return index >= 0 && index < value.size() ? value.get(index) : null;
        }
        return value.isObject() ? value.get(step) : null;
    }

    /** Returns whether the value matches the filter; {@code ne} and {@code notIn} negate the result. */
    private static boolean is(FieldFilter filter, JsonNode value) {
        return switch (filter.type()) {
            case TEXT, CHOICE -> isText(filter, value.isString() ? value.getStringValue() : text(value));
            case INTEGER, DECIMAL, INSTANT, FLAG -> isOrdered(filter, value);
            case TEXTS -> isTexts(filter, value);
            case JSON -> {
                JsonNode wanted = Answer.tree(Client.utf8(filter.values().getFirst()));
                yield filter.operator() == Operator.contains ? contains(value, wanted) : same(value, wanted);
            }
        };
    }

    /** Returns the text by which JSON is compared. */
    private static String text(JsonNode value) {
        return value.isObject() || value.isArray() ? "{}" : value.coerceStringValue();
    }

    private static boolean isText(FieldFilter filter, String text) {
        String folded = text.toLowerCase(Locale.ROOT);
        String wanted = filter.values().getFirst().toLowerCase(Locale.ROOT);
        return switch (filter.operator()) {
            case contains -> folded.contains(wanted);
            case startsWith -> folded.startsWith(wanted);
            case endsWith -> folded.endsWith(wanted);
            default ->
                filter.type() == FieldType.CHOICE
                        ? filter.values().stream().anyMatch(text::equalsIgnoreCase)
                        : filter.values().contains(text);
        };
    }

    private static boolean isOrdered(FieldFilter filter, JsonNode value) {
        Comparator<String> order = filter.type() == FieldType.INTEGER || filter.type() == FieldType.DECIMAL
                ? Comparator.comparing(QueryPropertyTest::number)
                : filter.type() == FieldType.INSTANT
                        ? Comparator.comparing(java.time.Instant::parse)
                        : Comparator.naturalOrder();
        String text = value.coerceStringValue();
        int first = order.compare(text, filter.values().getFirst());
        return switch (filter.operator()) {
            case gt -> first > 0;
            case gte -> first >= 0;
            case lt -> first < 0;
            case lte -> first <= 0;
            case between -> first >= 0 && order.compare(text, filter.values().getLast()) <= 0;
            default -> filter.values().stream().anyMatch(wanted -> order.compare(text, wanted) == 0);
        };
    }

    private static boolean isTexts(FieldFilter filter, JsonNode value) {
        List<String> texts = new ArrayList<>();
        value.values().forEach(element -> texts.add(element.getStringValue()));
        return switch (filter.operator()) {
            case contains, in -> filter.values().stream().anyMatch(texts::contains);
            default -> texts.equals(filter.values());
        };
    }

    private static boolean same(JsonNode one, JsonNode other) {
        if (one.isNumber() && other.isNumber()) {
            return new BigDecimal(one.coerceStringValue()).compareTo(new BigDecimal(other.coerceStringValue())) == 0;
        }
        if (one.isArray() && other.isArray() && one.size() == other.size()) {
            return IntStream.range(0, one.size()).allMatch(i -> same(one.get(i), other.get(i)));
        }
        if (one.isObject() && other.isObject() && one.size() == other.size()) {
            return members(other).allMatch(member -> {
                JsonNode own = one.get(member.getKey());
                return own != null && same(own, member.getValue());
            });
        }
        return one.equals(other);
    }

    /** Returns whether an object contains all fields of the wanted one, or an array all elements in any order. */
    private static boolean contains(JsonNode value, JsonNode wanted) {
        if (value.isObject() && wanted.isObject()) {
            return members(wanted).allMatch(member -> {
                JsonNode own = value.get(member.getKey());
                return own != null && contains(own, member.getValue());
            });
        }
        if (value.isArray() && wanted.isArray()) {
            return elements(wanted).allMatch(element -> elements(value).anyMatch(own -> contains(own, element)));
        }
        return same(value, wanted);
    }

    private static Stream<Map.Entry<String, JsonNode>> members(JsonNode object) {
        return StreamSupport.stream(object.entries().spliterator(), false);
    }

    private static Stream<JsonNode> elements(JsonNode array) {
        return StreamSupport.stream(array.values().spliterator(), false);
    }

    /**
     * Returns the sort order: nulls are last, and the id is the final criterion, in the direction of the last clause.
     */
    static Comparator<JsonNode> order(List<Column> columns, List<Boolean> descending) {
        Comparator<JsonNode> order = (_, _) -> 0;
        for (int i = 0; i < columns.size(); i++) {
            Comparator<JsonNode> next = by(columns.get(i));
            order = order.thenComparing(descending.get(i) ? next.reversed() : next);
        }
        if (columns.isEmpty()) {
            order = Comparator.comparing(record -> record.get("createdAt").getStringValue());
        }
        Comparator<JsonNode> id =
                Comparator.comparing(record -> record.get("id").getStringValue());
        return order.thenComparing(!descending.isEmpty() && descending.getLast() ? id.reversed() : id);
    }

    private static Comparator<JsonNode> by(Column column) {
        Comparator<JsonNode> values = switch (column.type()) {
            case INTEGER, DECIMAL -> Comparator.comparing(node -> new BigDecimal(node.coerceStringValue()));
            case FLAG -> Comparator.comparing(JsonNode::getBooleanValue);
            default -> Comparator.comparing(JsonNode::getStringValue);
        };
        return Comparator.comparing(
                record -> record.get(column.name()),
                (one, other) -> one.isNull() || other.isNull()
                        ? Boolean.compare(one.isNull(), other.isNull())
                        : values.compare(one, other));
    }
}
