package farm.gantry.api.query;

import java.util.List;

/** The condition of a list: one filter, or several combined. */
public sealed interface Condition {
    /**
     * A condition that compares a column, or a path inside a JSON column, with validated operands. Operands are texts in
     * the form of the column ({@code 2026-01-01T00:00:00Z}, {@code 1.5}, {@code true}). On a path, {@code eq}, {@code in}
     * and similar operators compare text; {@code eq} on an array has one operand per element.
     */
    record Filter(Column column, List<String> path, Operator operator, List<String> operands) implements Condition {

        public static Filter of(Column column, Operator operator, String... operands) {
            return new Filter(column, List.of(), operator, List.of(operands));
        }

        public String operand() {
            return operands.getFirst();
        }
    }

    record All(List<Condition> parts) implements Condition {
        public All {
            parts = List.copyOf(parts);
        }
    }

    record Any(List<Condition> parts) implements Condition {
        public Any {
            parts = List.copyOf(parts);
        }
    }

    /** Negation of the part; as with {@code ne}, records whose value is null match. */
    record Not(Condition part) implements Condition {}
}
