package farm.gantry.api.query;

import java.util.Optional;

/** The operators of filters, named as on the wire. {@code ne} and {@code notIn} match nulls. */
public enum Operator {
    eq,
    ne,
    gt,
    gte,
    lt,
    lte,
    between,
    contains,
    startsWith,
    endsWith,
    in,
    notIn,
    isNull;

    static Optional<Operator> find(String name) {
        for (Operator operator : values()) {
            if (operator.name().equals(name)) {
                return Optional.of(operator);
            }
        }
        return Optional.empty();
    }

    boolean takesSeveral() {
        return this == in || this == notIn || this == between;
    }
}
