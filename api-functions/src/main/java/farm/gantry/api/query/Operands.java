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
final class Operands {
    private static final Pattern DECIMAL = Pattern.compile("[+-]?\\d{1,30}(\\.\\d{1,30})?");
    private static final int MAX_DIGITS = 30;
    private static final int MAX_IDS = 100;

    private Operands() {}

    static List<String> of(String parameter, Target target, Operator operator, String value) {
        if (value.indexOf('\0') >= 0 || parameter.indexOf('\0') >= 0) {
            throw refuse(parameter, "must not contain a NUL character");
        }
        if (operator == Operator.isNull) {
            return List.of(flag(parameter, value));
        }
        List<String> values;
        if (isWhole(target, operator)) {
            values = value.isEmpty() ? List.of() : split(value);
        } else {
            values = operator.takesSeveral() ? split(value) : List.of(value);
        }
        checkCount(parameter, target, operator, values.size());
        return values.stream()
                .map(each -> operand(parameter, target.type(), each))
                .toList();
    }

    /** The operands of a search's typed value. */
    static List<String> of(String place, Target target, Operator operator, JsonNode value) {
        if (!StorableText.isStorable(place) || !isStorable(value)) {
            throw refuse(place, "must not contain a NUL character, an unpaired surrogate or a number out of range");
        }
        if (operator == Operator.isNull) {
            return List.of(operand(place, FieldType.FLAG, false, value));
        }
        boolean inside = !target.path().isEmpty();
        if (!operator.takesSeveral() && !isWhole(target, operator)) {
            return List.of(operand(place, target.type(), inside, value));
        }
        if (!value.isArray()) {
            throw refuse(place, "must be an array");
        }
        checkCount(place, target, operator, value.size());
        List<String> operands = new ArrayList<>();
        for (int i = 0; i < value.size(); i++) {
            operands.add(operand(place + "[" + i + "]", target.type(), inside, value.get(i)));
        }
        return operands;
    }

    /** Whether the value is a whole array of texts. */
    private static boolean isWhole(Target target, Operator operator) {
        return target.type() == FieldType.TEXTS && (operator == Operator.eq || operator == Operator.ne);
    }

    private static void checkCount(String place, Target target, Operator operator, int count) {
        if (operator == Operator.between && count != 2) {
            throw refuse(place, "takes two values");
        }
        if (operator == Operator.in && target.column().name().equals("id") && count > MAX_IDS) {
            throw refuse(place, "takes at most " + MAX_IDS + " ids");
        }
    }

    /** A typed value in the column's text form; values {@code inside} JSON are always compared as text. */
    private static String operand(String place, FieldType type, boolean inside, JsonNode value) {
        return switch (type) {
            case TEXT, CHOICE, TEXTS -> {
                if (!value.isString() && !(inside && (value.isNumber() || value.isBoolean()))) {
                    throw refuse(place, "must be a string");
                }
                yield value.coerceStringValue();
            }
            case JSON -> JsonText.write(value);
            case INTEGER, DECIMAL -> {
                if (!value.isNumber()) {
                    throw refuse(place, "must be a number");
                }
                yield plain(place, value.getBigDecimalValue());
            }
            case INSTANT -> {
                if (!value.isString()) {
                    throw refuse(place, "must be a string: an ISO 8601 date or date-time with offset");
                }
                yield instant(place, value.getStringValue());
            }
            case FLAG -> {
                if (!value.isBoolean()) {
                    throw refuse(place, "must be true or false");
                }
                yield String.valueOf(value.getBooleanValue());
            }
        };
    }

    private static String plain(String place, BigDecimal number) {
        if (number.precision() > MAX_DIGITS || Math.abs((long) number.scale()) > MAX_DIGITS) {
            throw refuse(place, "must have at most " + MAX_DIGITS + " digits");
        }
        return number.stripTrailingZeros().toPlainString();
    }

    private static String operand(String parameter, FieldType type, String value) {
        return switch (type) {
            case TEXT, CHOICE, TEXTS -> value;
            case JSON -> json(parameter, value);
            case INTEGER, DECIMAL -> decimal(parameter, value);
            case INSTANT -> instant(parameter, value);
            case FLAG -> flag(parameter, value);
        };
    }

    private static String decimal(String parameter, String value) {
        if (!DECIMAL.matcher(value).matches()) {
            throw refuse(parameter, "must be a plain decimal number, not '" + value + "'");
        }
        return new BigDecimal(value).stripTrailingZeros().toPlainString();
    }

    /** The value serialized again, so that it holds no number or escape that PostgreSQL cannot store. */
    private static String json(String parameter, String value) {
        try {
            JsonNode tree = JsonText.parse(value);
            if (isStorable(tree)) {
                return JsonText.write(tree);
            }
        } catch (ProblemException notJson) {
            // said below
        }
        throw refuse(parameter, "must be JSON, not '" + value + "'");
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

    private static String flag(String parameter, String value) {
        if (!value.equals("true") && !value.equals("false")) {
            throw refuse(parameter, "must be true or false, not '" + value + "'");
        }
        return value;
    }

    private static String instant(String parameter, String value) {
        try {
            Instant instant = StorableInstant.parse(value);
            if (!StorableInstant.isStorable(instant)) {
                throw refuse(parameter, "must lie in the years 1 to 9999");
            }
            return instant.toString();
        } catch (DateTimeParseException e) {
            throw refuse(parameter, "must be an ISO 8601 date or date-time with offset, not '" + value + "'");
        }
    }

    /** Values separated by commas; a comma inside a value is written {@code \,}. */
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

    static ProblemException refuse(String parameter, String reason) {
        return new ProblemException(new Problem.InvalidFilter(parameter, parameter + ": " + reason));
    }
}
