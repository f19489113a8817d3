package farm.gantry.api.query;

import io.micronaut.json.tree.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Parses the filter of a search; {@code read} collects the filters found so far, whose number is limited. */
record Conditions(Columns<?> columns, List<Filter> read) {
    private static final int MAX_DEPTH = 5;
    private static final int MAX_COUNT = 100;

    static Condition of(Columns<?> columns, JsonNode filter) {
        return new Conditions(columns, new ArrayList<>()).map(filter, "filter", 0);
    }

    private Condition map(JsonNode filter, String place, int depth) {
        if (!filter.isObject()) {
            throw Operands.refuse(place, "must be an object");
        }
        if (depth > MAX_DEPTH) {
            throw Operands.refuse(place, "must not be nested more than " + MAX_DEPTH + " levels deep");
        }
        if (depth > 0 && filter.size() == 0) {
            throw Operands.refuse(place, "must name a field");
        }
        List<Condition> parts = new ArrayList<>();
        for (Map.Entry<String, JsonNode> member : filter.entries()) {
            String at = place + "." + member.getKey();
            JsonNode value = member.getValue();
            switch (member.getKey()) {
                case "and" -> parts.add(new Condition.All(each(value, at, depth + 1)));
                case "or" -> parts.add(new Condition.Any(each(value, at, depth + 1)));
                case "not" -> parts.add(new Condition.Not(map(value, at, depth + 1)));
                default -> parts.addAll(field(member.getKey(), value, at));
            }
        }
        return parts.size() == 1 ? parts.getFirst() : new Condition.All(parts);
    }

    private List<Condition> each(JsonNode filters, String place, int depth) {
        if (!filters.isArray() || filters.size() == 0) {
            throw Operands.refuse(place, "must be an array of at least one filter");
        }
        List<Condition> parts = new ArrayList<>();
        for (int i = 0; i < filters.size(); i++) {
            parts.add(map(filters.get(i), place + "[" + i + "]", depth));
        }
        return parts;
    }

    /** A bare value, or an object of operators: a whole JSON object is compared by {@code eq}. */
    private List<Filter> field(String name, JsonNode value, String place) {
        Target target = Target.of(columns, name, place)
                .orElseThrow(() -> Operands.refuse(place, "there is no field '" + name + "'"));
        if (target.operator() != null) {
            return List.of(counted(target.filter(place, target.operator(), value), place));
        }
        if (!value.isObject()) {
            return List.of(counted(target.filter(place, Operator.eq, value), place));
        }
        if (value.size() == 0) {
            throw Operands.refuse(place, "must name an operator");
        }
        List<Filter> filters = new ArrayList<>();
        for (Map.Entry<String, JsonNode> member : value.entries()) {
            String at = place + "." + member.getKey();
            Operator operator = Operator.of(member.getKey())
                    .orElseThrow(() -> Operands.refuse(at, "there is no operator '" + member.getKey() + "'"));
            filters.add(counted(target.filter(at, operator, member.getValue()), at));
        }
        return filters;
    }

    private Filter counted(Filter filter, String place) {
        read.add(filter);
        if (read.size() > MAX_COUNT) {
            throw Operands.refuse(place, "exceeds the maximum of " + MAX_COUNT + " conditions of a search");
        }
        return filter;
    }
}
