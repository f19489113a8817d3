package farm.gantry.api.http;

import farm.gantry.api.json.JsonText;
import io.micronaut.json.tree.JsonNode;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.SequencedSet;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Records as CSV (RFC 4180), with a header line. The columns are the fields of all records, in the order in which they
 * occur; a value that is no object is in the column {@code value}. Objects and lists are JSON texts, null is empty. A
 * text that a spreadsheet would execute as a formula begins with an apostrophe.
 */
public record CsvTable(JsonNode records) {
    private static final String VALUE = "value";
    private static final String GUARD = "'";
    private static final String FORMULA_STARTS = "=+-@\t\r";

    String text() {
        SequencedSet<String> columns = new LinkedHashSet<>();
        for (JsonNode each : records.values()) {
            if (each.isObject()) {
                each.entries().forEach(field -> columns.add(field.getKey()));
            } else {
                columns.add(VALUE);
            }
        }
        return header(columns)
                + StreamSupport.stream(records.values().spliterator(), false)
                        .map(each -> line(columns, each))
                        .collect(Collectors.joining());
    }

    static String header(Collection<String> columns) {
        return columns.stream().map(CsvTable::quoteIfNeeded).collect(Collectors.joining(",", "", "\r\n"));
    }

    static String line(Collection<String> columns, JsonNode record) {
        return columns.stream()
                .map(column -> toCell(record.isObject() ? record.get(column) : record))
                .collect(Collectors.joining(",", "", "\r\n"));
    }

    private static String toCell(@Nullable JsonNode value) {
        if (value == null || value.isNull()) {
            return "";
        } else if (!value.isString()) {
            return quoteIfNeeded(JsonText.write(value));
        }
        String text = value.getStringValue();
        return quoteIfNeeded(isFormula(text, 0) ? GUARD + text : text);
    }

    private static boolean isFormula(String text, int start) {
        return text.length() > start && FORMULA_STARTS.indexOf(text.charAt(start)) >= 0;
    }

    /** Returns the text of a cell without the apostrophe that guards a formula. */
    public static String withoutGuard(String cell) {
        return cell.startsWith(GUARD) && isFormula(cell, 1) ? cell.substring(1) : cell;
    }

    private static String quoteIfNeeded(String text) {
        boolean isPlain = text.chars().noneMatch(each -> each == '"' || each == ',' || each == '\r' || each == '\n');
        return isPlain ? text : '"' + text.replace("\"", "\"\"") + '"';
    }
}
