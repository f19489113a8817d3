package farm.gantry.api.query;

import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.security.Caller;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A relation to embed, with the relations to embed in its records. */
public record Include(Relation relation, List<Include> within) {
    private static final int MAX_COUNT = 4;
    private static final int MAX_DEPTH = 2;

    /** Parses {@code linkedParts,linkedParts.part}; a nested relation includes its parent. */
    static List<Include> parse(Columns<?> columns, @Nullable String names, List<String> embeds) {
        Map<String, Set<String>> asked = new LinkedHashMap<>();
        embeds.forEach(name -> asked.put(name, new TreeSet<>()));
        if (names != null && !names.isEmpty()) {
            List<String> paths = Arrays.stream(names.split(",", -1)).distinct().toList();
            if (paths.size() > MAX_COUNT) {
                throw invalid("takes at most " + MAX_COUNT + " relations");
            }
            for (String path : paths) {
                String[] steps = path.split("\\.", -1);
                if (steps.length > MAX_DEPTH) {
                    throw invalid("'" + path + "' is more than " + MAX_DEPTH + " levels deep");
                }
                Set<String> within = asked.computeIfAbsent(steps[0], _ -> new TreeSet<>());
                if (steps.length == MAX_DEPTH) {
                    within.add(steps[1]);
                }
            }
        }
        List<Include> includes = new ArrayList<>();
        asked.forEach((name, within) -> {
            Relation relation = findRelation(columns, name);
            includes.add(new Include(
                    relation,
                    within.stream()
                            .map(inner -> new Include(findRelation(relation.target(), inner), List.of()))
                            .toList()));
        });
        return includes;
    }

    private static Relation findRelation(Columns<?> columns, String name) {
        return Relation.find(columns, name).orElseThrow(() -> {
            Set<String> known = new TreeSet<>(Relation.of(columns).keySet());
            return invalid("there is no relation '" + name + "'"
                    + (known.isEmpty() ? "" : "; there are " + String.join(", ", known)));
        });
    }

    /** Refuses a caller without permission to view the embedded records. */
    public void requirePermission(Caller caller) {
        caller.requireAnyPermission(relation.target().view());
        within.forEach(inner -> inner.requirePermission(caller));
    }

    private static ProblemException invalid(String reason) {
        return new ProblemException(new Problem.InvalidInclude("include: " + reason));
    }
}
