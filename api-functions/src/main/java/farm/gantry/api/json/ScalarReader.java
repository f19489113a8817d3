package farm.gantry.api.json;

import com.fasterxml.jackson.annotation.JsonProperty;
import farm.gantry.api.error.Faults;
import io.micronaut.core.beans.BeanIntrospection;
import io.micronaut.core.beans.EnumBeanIntrospection;
import io.micronaut.json.tree.JsonNode;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads scalar values of a body; returns null and adds a fault where a value is invalid. */
record ScalarReader(Faults faults) {
    /** Whole numbers up to here are exact, and no product of a few is infinite. */
    private static final double MAX_VALUE = 1e15;

    /** Those before the point of the largest long. */
    private static final int MAX_INTEGER_DIGITS = 19;

    private static final BigDecimal BEYOND = BigDecimal.TEN.pow(MAX_INTEGER_DIGITS);

    @Nullable
    String readString(JsonNode node, String at) {
        if (!node.isString()) {
            faults.add(at, "type", at + " must be a string");
            return null;
        }
        String text = node.getStringValue();
        if (!StorableText.isStorable(text)) {
            faults.add(at, "invalid", at + " must not hold a NUL character or half a character");
            return null;
        }
        return text;
    }

    @Nullable
    Long readInteger(JsonNode node, String at, long least, long most) {
        if (!node.isNumber()) {
            faults.add(at, "type", at + " must be a number");
            return null;
        }
        BigDecimal number = Double.isFinite(node.getDoubleValue()) ? node.getBigDecimalValue() : BEYOND;
        if (number.precision() - number.scale() > MAX_INTEGER_DIGITS) { // said of no number that would have to be written out
            faults.add(at, "range", at + " is out of range");
        } else if (number.stripTrailingZeros().scale() > 0) {
            faults.add(at, "type", at + " must be a whole number");
        } else if (number.compareTo(BigDecimal.valueOf(least)) < 0 || number.compareTo(BigDecimal.valueOf(most)) > 0) {
            faults.add(at, "range", at + " is out of range");
        } else {
            return number.longValue();
        }
        return null;
    }

    @Nullable
    Double readDouble(JsonNode node, String at) {
        if (!node.isNumber()) {
            faults.add(at, "type", at + " must be a number");
            return null;
        }
        double number = node.getDoubleValue();
        if (!(Math.abs(number) <= MAX_VALUE)) {
            faults.add(at, "range", at + " must be between -1e15 and 1e15");
            return null;
        }
        return number;
    }

    /** A string, a number or, with {@code flags}, true or false. */
    @Nullable
    Object readScalar(JsonNode node, String at, boolean flags) {
        if (node.isString()) {
            return readString(node, at);
        } else if (node.isNumber()) {
            return readNumber(node, at);
        } else if (flags && node.isBoolean()) {
            return node.getBooleanValue();
        }
        faults.add(
                at,
                "type",
                at + (flags ? " must be a string, a number, true or false" : " must be a string or a number"));
        return null;
    }

    /** A number of which nothing is known but that it is stored as it was sent. */
    @Nullable
    Object readNumber(JsonNode node, String at) {
        if (!Double.isFinite(node.getDoubleValue())) {
            faults.add(at, "range", at + " is out of range");
            return null;
        }
        return node.getValue();
    }

    /** A whole number is kept as one. */
    @Nullable
    BigDecimal readDecimal(JsonNode node, String at) {
        if (readDouble(node, at) == null) {
            return null;
        }
        BigDecimal number = node.getBigDecimalValue().stripTrailingZeros();
        return number.scale() < 0 ? number.setScale(0) : number;
    }

    @Nullable
    Instant readInstant(JsonNode node, String at) {
        try {
            Instant instant = OffsetDateTime.parse(node.isString() ? node.getStringValue() : "")
                    .toInstant()
                    .truncatedTo(ChronoUnit.MILLIS);
            if (StorableInstant.isStorable(instant)) {
                return instant;
            }
        } catch (DateTimeParseException e) {
            // said below
        }
        faults.add(at, "type", at + " must be an ISO 8601 date-time with offset");
        return null;
    }

    @Nullable
    Object readEnum(Class<?> java, JsonNode node, String at) {
        List<String> names = new ArrayList<>();
        for (var constant : ((EnumBeanIntrospection<?>) BeanIntrospection.getIntrospection(java)).getConstants()) {
            String name = constant.stringValue(JsonProperty.class)
                    .orElse(constant.getValue().name());
            if (node.isString() && name.equals(node.getStringValue())) {
                return constant.getValue();
            }
            names.add(name);
        }
        faults.add(at, "enum", at + " must be one of " + String.join(", ", names));
        return null;
    }
}
