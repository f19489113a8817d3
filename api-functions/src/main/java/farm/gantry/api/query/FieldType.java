package farm.gantry.api.query;

import static farm.gantry.api.query.Operator.between;
import static farm.gantry.api.query.Operator.contains;
import static farm.gantry.api.query.Operator.endsWith;
import static farm.gantry.api.query.Operator.eq;
import static farm.gantry.api.query.Operator.gt;
import static farm.gantry.api.query.Operator.gte;
import static farm.gantry.api.query.Operator.in;
import static farm.gantry.api.query.Operator.isNull;
import static farm.gantry.api.query.Operator.lt;
import static farm.gantry.api.query.Operator.lte;
import static farm.gantry.api.query.Operator.ne;
import static farm.gantry.api.query.Operator.notIn;
import static farm.gantry.api.query.Operator.startsWith;

import java.time.Instant;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The type of a column for filters and JSON. */
public enum FieldType {
    TEXT(eq, ne, in, notIn, isNull, contains, startsWith, endsWith),
    CHOICE(eq, ne, in, notIn, isNull, contains, startsWith, endsWith),
    INTEGER(eq, ne, in, notIn, isNull, gt, gte, lt, lte, between),
    DECIMAL(eq, ne, in, notIn, isNull, gt, gte, lt, lte, between),
    INSTANT(eq, ne, in, notIn, isNull, gt, gte, lt, lte, between),
    FLAG(eq, ne, in, notIn, isNull),
    TEXTS(eq, ne, contains, in, isNull),
    JSON(eq, ne, contains, isNull);

    @SuppressWarnings("ImmutableEnumChecker") // nobody outside sees the set
    private final Set<Operator> operators;

    FieldType(Operator first, Operator... rest) {
        operators = EnumSet.of(first, rest);
    }

    public boolean supports(Operator operator) {
        return operators.contains(operator);
    }

    public boolean isSortable() {
        return this != JSON && this != TEXTS;
    }

    static FieldType of(Class<?> java, Class<?> element) {
        if (java == String.class) {
            return TEXT;
        } else if (java.isEnum()) {
            return CHOICE;
        } else if (java == Instant.class) {
            return INSTANT;
        } else if (java == boolean.class || java == Boolean.class) {
            return FLAG;
        } else if (java == int.class || java == Integer.class || java == long.class || java == Long.class) {
            return INTEGER;
        } else if (java == double.class || java == Double.class) {
            return DECIMAL;
        } else if (List.class.isAssignableFrom(java) && element == String.class) {
            return TEXTS;
        } else if (java.isRecord() || java.isSealed() || Collection.class.isAssignableFrom(java) || java == Map.class) {
            return JSON;
        }
        throw new IllegalArgumentException("no column can hold " + java);
    }
}
