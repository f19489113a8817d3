package farm.gantry.api.query;

import farm.gantry.Id;
import farm.gantry.api.query.Condition.Filter;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.zip.CRC32;

/**
 * The end of a page: its sort order and the values of its last record. Opaque to clients; a checksum detects truncated or
 * altered cursors. It gives access to no record that its caller could not list.
 */
public final class Cursor {
    private static final Set<String> STABLE_COLUMNS = Set.of("id", "createdAt");
    private static final String NAME = "cursor";

    private Cursor() {}

    /** Whether an order supports cursors: its columns are never null and never change, so records keep their position. */
    public static boolean supports(List<Sort> order) {
        return order.stream()
                .allMatch(clause -> STABLE_COLUMNS.contains(clause.column().name()));
    }

    public static String encode(List<Sort> order, List<String> place) {
        String text = text(order) + "\n" + String.join("\n", place);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes(checksum(text) + "\n" + text));
    }

    /**
     * Returns the condition for records after the cursor. A separate bound on the first column lets an index scan start
     * there.
     */
    static Condition after(List<Sort> order, String cursor) {
        List<String> lines = decodeLines(cursor);
        String rest = lines.stream().skip(1).collect(Collectors.joining("\n"));
        if (lines.size() != order.size() + 2 || !lines.getFirst().equals(checksum(rest))) {
            throw OperandParser.invalid(
                    NAME, "is invalid for this list: send the cursor of the previous page unchanged");
        }
        if (!lines.get(1).equals(text(order)) || !supports(order)) {
            throw OperandParser.invalid(NAME, "belongs to a list with a different sort; start again without a cursor");
        }
        return after(order, lines.subList(2, lines.size()));
    }

    /** Returns the condition for records after the one with these sort values. */
    static Condition after(List<Sort> order, List<String> place) {
        Sort first = order.getFirst();
        Column column = first.column();
        String value = parseValue(column, place.getFirst());
        Condition beyond = Filter.of(column, first.descending() ? Operator.lt : Operator.gt, value);
        if (order.size() == 1) {
            return beyond;
        }
        Condition rest = after(order.subList(1, order.size()), place.subList(1, place.size()));
        return new Condition.All(List.of(
                Filter.of(column, first.descending() ? Operator.lte : Operator.gte, value),
                new Condition.Any(List.of(beyond, rest))));
    }

    private static String parseValue(Column column, String value) {
        if (column.type() == FieldType.INSTANT) {
            return OperandParser.parse(NAME, column, false, Operator.eq, value).getFirst();
        }
        if (!Id.isValid(value)) {
            throw OperandParser.invalid(
                    NAME, "is invalid for this list: send the cursor of the previous page unchanged");
        }
        return value;
    }

    private static List<String> decodeLines(String cursor) {
        try {
            String text = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
            return List.of(text.split("\n", -1));
        } catch (IllegalArgumentException e) {
            throw OperandParser.invalid(
                    NAME, "is invalid for this list: send the cursor of the previous page unchanged");
        }
    }

    private static String text(List<Sort> order) {
        return order.stream()
                .map(clause -> clause.column().name() + (clause.descending() ? ":desc" : ":asc"))
                .collect(Collectors.joining(","));
    }

    private static String checksum(String text) {
        CRC32 sum = new CRC32();
        sum.update(bytes(text));
        return Long.toHexString(sum.getValue());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
