package farm.gantry.api.query;

import farm.gantry.api.query.Condition.Filter;
import io.micronaut.json.tree.JsonNode;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates conditions and sort orders on records in memory, with the semantics that PostgreSQL has for tables.
 */
public final class InMemoryEvaluator {
    private InMemoryEvaluator() {}

    /** Whether the record, as its JSON, meets the condition. */
    public static boolean matches(JsonNode record, Condition condition) {
        return switch (condition) {
            case Condition.All all -> all.parts().stream().allMatch(part -> matches(record, part));
            case Condition.Any any -> any.parts().stream().anyMatch(part -> matches(record, part));
            case Condition.Not not -> !matches(record, not.part());
            case Filter filter -> matches(value(record, filter.column()), filter);
        };
    }

    /** Returns the comparator of a sort order; nulls sort last. */
    public static Comparator<JsonNode> comparator(List<Sort> clauses) {
        Comparator<JsonNode> order = (_, _) -> 0;
        for (Sort clause : clauses) {
            Column column = clause.column();
            Comparator<JsonNode> next = Comparator.comparing(
                    record -> value(record, column),
                    Comparator.nullsLast((one, other) -> compare(column, text(one), text(other))));
            order = order.thenComparing(clause.descending() ? next.reversed() : next);
        }
        return order;
    }

    private static @Nullable JsonNode value(JsonNode record, Column column) {
        JsonNode value = record.get(column.name());
        return value == null || value.isNull() ? null : value;
    }

    private static boolean matches(@Nullable JsonNode value, Filter filter) {
        return switch (filter.operator()) {
            case isNull -> (value == null) == filter.operand().equals("true");
            case ne -> value == null || !isEqual(value, filter);
            case notIn -> value == null || !isOneOf(value, filter);
            case eq -> value != null && isEqual(value, filter);
            case in -> value != null && isOneOf(value, filter);
            case gt -> value != null && compare(value, filter, 0) > 0;
            case gte -> value != null && compare(value, filter, 0) >= 0;
            case lt -> value != null && compare(value, filter, 0) < 0;
            case lte -> value != null && compare(value, filter, 0) <= 0;
            case between -> value != null && compare(value, filter, 0) >= 0 && compare(value, filter, 1) <= 0;
            case contains ->
                value != null
                        && (filter.column().type() == FieldType.TEXTS
                                ? isOneOf(value, filter)
                                : lowerCase(text(value)).contains(lowerCase(filter.operand())));
            case startsWith -> value != null && lowerCase(text(value)).startsWith(lowerCase(filter.operand()));
            case endsWith -> value != null && lowerCase(text(value)).endsWith(lowerCase(filter.operand()));
        };
    }

    private static boolean isEqual(JsonNode value, Filter filter) {
        return filter.column().type() == FieldType.TEXTS
                ? texts(value).equals(filter.operands())
                : compare(value, filter, 0) == 0;
    }

    /** For an array, whether any element matches. */
    private static boolean isOneOf(JsonNode value, Filter filter) {
        Column column = filter.column();
        return filter.operands().stream()
                .anyMatch(operand -> column.type() == FieldType.TEXTS
                        ? texts(value).contains(operand)
                        : compare(column, text(value), operand) == 0);
    }

    private static int compare(JsonNode value, Filter filter, int operand) {
        return compare(filter.column(), text(value), filter.operands().get(operand));
    }

    private static int compare(Column column, String one, String other) {
        return switch (column.type()) {
            case TEXT, CHOICE, FLAG -> one.compareTo(other);
            case INTEGER, DECIMAL -> new BigDecimal(one).compareTo(new BigDecimal(other));
            case INSTANT -> Instant.parse(one).compareTo(Instant.parse(other));
            case TEXTS, JSON -> throw new IllegalArgumentException(column.name() + " has no order");
        };
    }

    private static String text(JsonNode value) {
        return value.coerceStringValue();
    }

    private static String lowerCase(String text) {
        return text.toLowerCase(Locale.ROOT);
    }

    private static List<String> texts(JsonNode array) {
        return StreamSupport.stream(array.values().spliterator(), false)
                .map(JsonNode::getStringValue)
                .toList();
    }
}
