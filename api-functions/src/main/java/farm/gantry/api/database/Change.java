package farm.gantry.api.database;

import farm.gantry.Field;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Columns of a row to set, and values that the row must have before: {@code new
 * Change<Printer>().when(Printer::isOnline, false).set(Printer::isOnline, true)}.
 */
public final class Change<R> {
    private final Map<String, @Nullable Object> expected = new LinkedHashMap<>();
    private final Map<String, @Nullable Object> values = new LinkedHashMap<>();

    public Change<R> set(Field<R> field, @Nullable Object value) {
        return setColumn(field.name(), field.checked(value));
    }

    /** Sets a column that records do not have. */
    public Change<R> setColumn(String name, @Nullable Object value) {
        values.put(name, value);
        return this;
    }

    /** Makes the change only if the field has the value; null expects that it has none. */
    public Change<R> when(Field<R> field, @Nullable Object value) {
        expected.put(field.name(), field.checked(value));
        return this;
    }

    /** Returns whether the change sets the field. */
    public boolean sets(Field<R> field) {
        return values.containsKey(field.name());
    }

    public boolean isEmpty() {
        return values.isEmpty();
    }

    Map<String, @Nullable Object> expected() {
        return Collections.unmodifiableMap(expected);
    }

    Map<String, @Nullable Object> values() {
        return Collections.unmodifiableMap(values);
    }
}
