package farm.gantry.api.query;

import java.util.List;

/** The condition of a list: one filter, or several combined. */
public sealed interface Condition permits Filter, Condition.All, Condition.Any, Condition.Not {
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
