package farm.gantry.api.query;

import java.util.List;

/** What a record must meet to be listed: one filter, or several joined. */
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

    /** Whatever does not meet the part; as with {@code ne}, that includes nulls. */
    record Not(Condition part) implements Condition {}
}
