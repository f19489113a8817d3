package farm.gantry.api.query;

import java.util.List;

/**
 * One condition: a column, or a path inside a JSON column, compared with checked operands. Operands are texts in the
 * column's own form ({@code 2026-01-01T00:00:00Z}, {@code 1.5}, {@code true}); {@code eq}, {@code in} and their like on
 * a path compare text, and {@code eq} on an array has an operand for each element.
 */
public record Filter(Column column, List<String> path, Operator operator, List<String> operands) implements Condition {

    public static Filter of(Column column, Operator operator, String... operands) {
        return new Filter(column, List.of(), operator, List.of(operands));
    }

    public String operand() {
        return operands.getFirst();
    }
}
