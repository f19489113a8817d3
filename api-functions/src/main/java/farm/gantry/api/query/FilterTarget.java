package farm.gantry.api.query;

import farm.gantry.api.query.Condition.Filter;
import io.micronaut.json.tree.JsonNode;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The parsed name of a filter: a column, optionally a path inside it, and an operator if the last segment is one. */
record FilterTarget(
        Column column, List<String> path, @Nullable Operator operator) {

    /** Empty for an unknown field; {@code place} is the location that an error reports. */
    static Optional<FilterTarget> parse(Columns<?> columns, String name, String place) {
        List<String> names = OperandParser.split(name, '.');
        Column column = columns.byName().get(names.getFirst());
        if (column == null) {
            return Optional.empty();
        }
        Optional<Operator> last = names.size() == 1 ? Optional.empty() : Operator.find(names.getLast());
        List<String> path = names.subList(1, last.isPresent() ? names.size() - 1 : names.size());
        if (!path.isEmpty() && column.type() != FieldType.JSON) {
            throw OperandParser.invalid(place, column.name() + " takes no operator " + path.getFirst());
        }
        return Optional.of(new FilterTarget(column, path, last.orElse(null)));
    }

    /** Parses the filter of a query parameter. */
    Filter toFilter(String parameter, String value) {
        Operator by = operator == null ? Operator.eq : operator;
        checkOperator(parameter, by);
        return new Filter(
                column,
                path,
                by,
                canonicalSpellings(by, OperandParser.parse(parameter, column, !path.isEmpty(), by, value)));
    }

    /** Parses the filter of a typed search value. */
    Filter toFilter(String place, Operator by, JsonNode value) {
        checkOperator(place, by);
        if (value.isNull() && (by == Operator.eq || by == Operator.ne)) {
            return new Filter(column, path, Operator.isNull, List.of(String.valueOf(by == Operator.eq)));
        }
        return new Filter(
                column,
                path,
                by,
                canonicalSpellings(by, OperandParser.parse(place, column, !path.isEmpty(), by, value)));
    }

    /** Returns the operands in their stored spelling; whole values of a choice are matched case-insensitively. */
    private List<String> canonicalSpellings(Operator by, List<String> operands) {
        return switch (by) {
            case eq, ne, in, notIn ->
                operands.stream().map(column::canonicalSpelling).toList();
            case isNull, contains, startsWith, endsWith, gt, gte, lt, lte, between -> operands;
        };
    }

    private void checkOperator(String place, Operator by) {
        if (column.secret() || path.stream().anyMatch(column.encryptedKeys()::contains)) {
            throw OperandParser.invalid(place, "is secret and cannot be filtered on");
        }
        if (!OperandParser.operandType(column, !path.isEmpty()).supports(by)) {
            throw OperandParser.invalid(place, column.name() + " does not take the operator " + by);
        }
    }
}
