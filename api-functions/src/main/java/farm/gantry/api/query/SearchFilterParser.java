package farm.gantry.api.query;

import farm.gantry.api.query.Condition.Filter;
import io.micronaut.json.tree.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Parses the filter of a search. {@code parsed} collects the filters parsed so far, because their number is limited.
 */
record SearchFilterParser(Columns<?> columns, List<Filter> parsed) {
    private static final int MAX_DEPTH = 5;
    private static final int MAX_COUNT = 100;

    static Condition parse(Columns<?> columns, JsonNode filter) {
        return new SearchFilterParser(columns, new ArrayList<>()).parseFilter(filter, "filter", 0);
    }

    private Condition parseFilter(JsonNode filter, String place, int depth) {
        if (!filter.isObject()) {
            throw OperandParser.invalid(place, "must be an object");
        }
        if (depth > MAX_DEPTH) {
            throw OperandParser.invalid(place, "must not be nested more than " + MAX_DEPTH + " levels deep");
        }
        if (depth > 0 && filter.size() == 0) {
            throw OperandParser.invalid(place, "must name a field");
        }
        List<Condition> parts = new ArrayList<>();
        for (Map.Entry<String, JsonNode> member : filter.entries()) {
            String at = place + "." + member.getKey();
            JsonNode value = member.getValue();
            switch (member.getKey()) {
                case "and" -> parts.add(new Condition.All(parseFilters(value, at, depth + 1)));
                case "or" -> parts.add(new Condition.Any(parseFilters(value, at, depth + 1)));
                case "not" -> parts.add(new Condition.Not(parseFilter(value, at, depth + 1)));
                default -> parts.addAll(parseField(member.getKey(), value, at));
            }
        }
        return parts.size() == 1 ? parts.getFirst() : new Condition.All(parts);
    }

    private List<Condition> parseFilters(JsonNode filters, String place, int depth) {
        if (!filters.isArray() || filters.size() == 0) {
            throw OperandParser.invalid(place, "must be an array of at least one filter");
        }
        List<Condition> parts = new ArrayList<>();
        for (int i = 0; i < filters.size(); i++) {
            parts.add(parseFilter(filters.get(i), place + "[" + i + "]", depth));
        }
        return parts;
    }

    /**
     * Parses the value of a field: a bare value, or an object of operators. A whole JSON object is compared by {@code
     * eq}.
     */
    private List<Filter> parseField(String name, JsonNode value, String place) {
        FilterTarget target = FilterTarget.parse(columns, name, place)
                .orElseThrow(() -> OperandParser.invalid(place, "there is no field '" + name + "'"));
        if (target.operator() != null) {
            return List.of(addCounted(target.toFilter(place, target.operator(), value), place));
        }
        if (!value.isObject()) {
            return List.of(addCounted(target.toFilter(place, Operator.eq, value), place));
        }
        if (value.size() == 0) {
            throw OperandParser.invalid(place, "must name an operator");
        }
        List<Filter> filters = new ArrayList<>();
        for (Map.Entry<String, JsonNode> member : value.entries()) {
            String at = place + "." + member.getKey();
            Operator operator = Operator.find(member.getKey())
                    .orElseThrow(() -> OperandParser.invalid(at, "there is no operator '" + member.getKey() + "'"));
            filters.add(addCounted(target.toFilter(at, operator, member.getValue()), at));
        }
        return filters;
    }

    private Filter addCounted(Filter filter, String place) {
        parsed.add(filter);
        if (parsed.size() > MAX_COUNT) {
            throw OperandParser.invalid(place, "exceeds the maximum of " + MAX_COUNT + " conditions of a search");
        }
        return filter;
    }
}
