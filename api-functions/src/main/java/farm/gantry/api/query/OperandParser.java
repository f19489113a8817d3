package farm.gantry.api.query;

import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.json.JsonText;
import farm.gantry.api.json.StorableInstant;
import farm.gantry.api.json.StorableText;
import io.micronaut.json.tree.JsonNode;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Parses the value of a filter: splits it for operators with several operands and validates each by the field's type. */
final class OperandParser {
    private static final Pattern DECIMAL = Pattern.compile("[+-]?\\d{1,30}(\\.\\d{1,30})?");
    private static final int MAX_DIGITS = 30;
    private static final int MAX_IDS = 100;

    private OperandParser() {}

    /** Parses the value of a query parameter, for a column or, if {@code inside}, for a path inside its JSON. */
    static List<String> parse(String parameter, Column column, boolean inside, Operator operator, String value) {
        if (value.indexOf('\0') >= 0 || parameter.indexOf('\0') >= 0) {
            throw invalid(parameter, "must not contain a NUL character");
        }
        if (operator == Operator.isNull) {
            return List.of(parseFlag(parameter, value));
        }
        List<String> values;
        if (isWholeArray(column, inside, operator)) {
            values = value.isEmpty() ? List.of() : split(value);
        } else {
            values = operator.takesSeveral() ? split(value) : List.of(value);
        }
        checkCount(parameter, column, operator, values.size());
        return values.stream()
                .map(each -> parseOperand(parameter, operandType(column, inside), each))
                .toList();
    }

    /** Parses the typed value of a search. */
    static List<String> parse(String place, Column column, boolean inside, Operator operator, JsonNode value) {
        if (!StorableText.isStorable(place) || !isStorable(value)) {
            throw invalid(place, "must not contain a NUL character, an unpaired surrogate or a number out of range");
        }
        if (operator == Operator.isNull) {
            return List.of(parseOperand(place, FieldType.FLAG, false, value));
        }
        if (!operator.takesSeveral() && !isWholeArray(column, inside, operator)) {
            return List.of(parseOperand(place, operandType(column, inside), inside, value));
        }
        if (!value.isArray()) {
            throw invalid(place, "must be an array");
        }
        checkCount(place, column, operator, value.size());
        List<String> operands = new ArrayList<>();
        for (int i = 0; i < value.size(); i++) {
            operands.add(parseOperand(place + "[" + i + "]", operandType(column, inside), inside, value.get(i)));
        }
        return operands;
    }

    /** Returns the type of the operands; a value inside JSON is compared as text. */
    static FieldType operandType(Column column, boolean inside) {
        return inside ? FieldType.TEXT : column.type();
    }

    /** Whether the value is a whole array of texts. */
    private static boolean isWholeArray(Column column, boolean inside, Operator operator) {
        return operandType(column, inside) == FieldType.TEXTS && (operator == Operator.eq || operator == Operator.ne);
    }

    private static void checkCount(String place, Column column, Operator operator, int count) {
        if (operator == Operator.between && count != 2) {
            throw invalid(place, "takes two values");
        }
        if (operator == Operator.in && column.name().equals("id") && count > MAX_IDS) {
            throw invalid(place, "takes at most " + MAX_IDS + " ids");
        }
    }

    /**
     * Converts a typed value to the text form of the column; values {@code inside} JSON are always compared as text.
     */
    private static String parseOperand(String place, FieldType type, boolean inside, JsonNode value) {
        return switch (type) {
            case TEXT, CHOICE, TEXTS -> {
                if (!value.isString() && !(inside && (value.isNumber() || value.isBoolean()))) {
                    throw invalid(place, "must be a string");
                }
                yield value.coerceStringValue();
            }
            case JSON -> JsonText.write(value);
            case INTEGER, DECIMAL -> {
                if (!value.isNumber()) {
                    throw invalid(place, "must be a number");
                }
                yield formatDecimal(place, value.getBigDecimalValue());
            }
            case INSTANT -> {
                if (!value.isString()) {
                    throw invalid(place, "must be a string: an ISO 8601 date or date-time with offset");
                }
                yield parseInstant(place, value.getStringValue());
            }
            case FLAG -> {
                if (!value.isBoolean()) {
                    throw invalid(place, "must be true or false");
                }
                yield String.valueOf(value.getBooleanValue());
            }
        };
    }

    private static String formatDecimal(String place, BigDecimal number) {
        if (number.precision() > MAX_DIGITS || Math.abs((long) number.scale()) > MAX_DIGITS) {
            throw invalid(place, "must have at most " + MAX_DIGITS + " digits");
        }
        return number.stripTrailingZeros().toPlainString();
    }

    private static String parseOperand(String parameter, FieldType type, String value) {
        return switch (type) {
            case TEXT, CHOICE, TEXTS -> value;
            case JSON -> parseJson(parameter, value);
            case INTEGER, DECIMAL -> parseDecimal(parameter, value);
            case INSTANT -> parseInstant(parameter, value);
            case FLAG -> parseFlag(parameter, value);
        };
    }

    private static String parseDecimal(String parameter, String value) {
        if (!DECIMAL.matcher(value).matches()) {
            throw invalid(parameter, "must be a plain decimal number, not '" + value + "'");
        }
        return new BigDecimal(value).stripTrailingZeros().toPlainString();
    }

    /** Parses and serialises the value again, so that it contains no number or escape that PostgreSQL cannot store. */
    private static String parseJson(String parameter, String value) {
        try {
            JsonNode tree = JsonText.parse(value);
            if (isStorable(tree)) {
                return JsonText.write(tree);
            }
        } catch (ProblemException notJson) {
            // reported below
        }
        throw invalid(parameter, "must be JSON, not '" + value + "'");
    }

    private static boolean isStorable(JsonNode node) {
        if (node.isObject()) {
            for (Map.Entry<String, JsonNode> member : node.entries()) {
                if (!StorableText.isStorable(member.getKey()) || !isStorable(member.getValue())) {
                    return false;
                }
            }
        } else if (node.isArray()) {
            for (JsonNode element : node.values()) {
                if (!isStorable(element)) {
                    return false;
                }
            }
        } else if (node.isNumber()) {
            return Double.isFinite(node.getDoubleValue());
        }
        return !node.isString() || StorableText.isStorable(node.getStringValue());
    }

    private static String parseFlag(String parameter, String value) {
        if (!value.equals("true") && !value.equals("false")) {
            throw invalid(parameter, "must be true or false, not '" + value + "'");
        }
        return value;
    }

    private static String parseInstant(String parameter, String value) {
        try {
            Instant instant = StorableInstant.parse(value);
            if (!StorableInstant.isStorable(instant)) {
                throw invalid(parameter, "must lie in the years 1 to 9999");
            }
            return instant.toString();
        } catch (DateTimeParseException e) {
            throw invalid(parameter, "must be an ISO 8601 date or date-time with offset, not '" + value + "'");
        }
    }

    /** Splits values at commas; {@code \,} is a comma inside a value. */
    static List<String> split(String value) {
        return split(value, ',');
    }

    static List<String> split(String value, char separator) {
        List<String> values = new ArrayList<>();
        StringBuilder current = new StringBuilder();
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '\\'
                    && i + 1 < value.length()
                    && (value.charAt(i + 1) == separator || value.charAt(i + 1) == '\\')) {
                current.append(value.charAt(++i));
            } else if (c == separator) {
                values.add(current.toString());
                current.setLength(0);
            } else {
                current.append(c);
            }
        }
        values.add(current.toString());
        return values;
    }

    static ProblemException invalid(String parameter, String reason) {
        return new ProblemException(new Problem.InvalidFilter(parameter, parameter + ": " + reason));
    }
}
