package farm.gantry.api.json;

import org.jspecify.annotations.Nullable;

/**
 * The fields that a request body may hold.
 *
 * @param type the record, or an array of it; other types may hold any field
 * @param isChange whether the body changes stored records, so that fields set at their creation are ignored
 * @param with a record whose fields the body may hold, too
 * @param field a field of the record that has a shape of its own; the other fields are then of no interest
 */
public record BodyShape(
        Class<?> type,
        boolean isChange,
        @Nullable Class<?> with,
        @Nullable Field field) {
    /** A field and its shape. */
    public record Field(String name, BodyShape shape) {}
}
