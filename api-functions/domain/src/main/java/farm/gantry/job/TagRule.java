package farm.gantry.job;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/** A condition on a tag: {@code X} or {@code =X} requires that value, {@code &=A|B} all of them, {@code |=A|B} any of them. */
public sealed interface TagRule {
    record All(List<String> values) implements TagRule {}

    record Any(List<String> values) implements TagRule {}

    static TagRule parse(String text) {
        if (text.startsWith("&=")) {
            return new All(split(text.substring(2)));
        } else if (text.startsWith("|=")) {
            return new Any(split(text.substring(2)));
        }
        return new All(List.of(text.startsWith("=") ? text.substring(1) : text));
    }

    private static List<String> split(String values) {
        return Arrays.stream(values.split("[|,]")).map(String::strip).toList();
    }

    default boolean accepts(Collection<String> present) {
        return switch (this) {
            case All all -> present.containsAll(all.values());
            case Any any -> any.values().stream().anyMatch(present::contains);
        };
    }
}
