package farm.gantry.api.fuzz;

import farm.gantry.Id;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/** Ids of records by noun, so that generated references mostly name a record of the right kind. */
final class KnownIds {
    private static final int MAX_PER_NOUN = 300;

    private final RandomGenerator random;
    private final List<String> foreign;
    private final Map<String, List<String>> byNoun = new TreeMap<>();

    /** {@code foreign} are those of another store. */
    KnownIds(RandomGenerator random, List<String> foreign) {
        this.random = random;
        this.foreign = foreign;
    }

    /** {@code sku-options} of a path is the noun {@code skuoption}. */
    void add(String segment, String id) {
        List<String> ids = byNoun.computeIfAbsent(noun(segment), _ -> new ArrayList<>());
        if (ids.size() < MAX_PER_NOUN) {
            ids.add(id);
        } else {
            ids.set(random.nextInt(MAX_PER_NOUN), id);
        }
    }

    private static String noun(String segment) {
        String plain = segment.replace("-", "").toLowerCase(Locale.ROOT);
        return plain.endsWith("ies")
                ? plain.substring(0, plain.length() - 3) + "y"
                : plain.endsWith("s") ? plain.substring(0, plain.length() - 1) : plain;
    }

    /**
     * Returns an id for a field such as {@code optionId} or {@code skuIds}, or for a path segment, of the right kind if
     * there is one.
     */
    String of(String name) {
        int chance = random.nextInt(20);
        if (chance == 0) {
            return Id.next();
        } else if (chance == 1) {
            return any(foreign);
        }
        String noun = noun(name.replaceAll("Ids?$", ""));
        List<String> found = byNoun.getOrDefault(noun, List.of());
        if (found.isEmpty()) {
            found = byNoun.entrySet().stream()
                    .filter(each -> each.getKey().endsWith(noun))
                    .findFirst()
                    .map(Map.Entry::getValue)
                    .orElse(List.of());
        }
        return found.isEmpty() ? any(foreign) : any(found);
    }

    private String any(List<String> ids) {
        return ids.get(random.nextInt(ids.size()));
    }
}
