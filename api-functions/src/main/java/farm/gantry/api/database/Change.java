package farm.gantry.api.database;

import farm.gantry.Field;
import farm.gantry.RecordBuilder;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Columns of a row to set, and values that the row must have before: {@code new
 * Change<Printer>().when(Printer::isOnline, false).set(Printer::isOnline, true)}.
 */
public final class Change<R> {
    private final Map<String, @Nullable Object> expected = new LinkedHashMap<>();
    private final Map<String, @Nullable Object> values = new LinkedHashMap<>();

    public Change<R> set(Field<R> field, @Nullable Object value) {
        return setColumn(field.name(), field.requireAssignable(value));
    }

    /** Sets a column that records do not have. */
    public Change<R> setColumn(String name, @Nullable Object value) {
        values.put(name, value);
        return this;
    }

    /** Sets what the other change sets. */
    public Change<R> setAll(Change<R> other) {
        values.putAll(other.values);
        return this;
    }

    /** Converts the values to set. */
    public Change<R> convert(UnaryOperator<@Nullable Object> conversion) {
        values.replaceAll((_, value) -> conversion.apply(value));
        return this;
    }

    /** Returns a copy of the record with the values of the change. */
    public static <R extends Record> R applied(R record, Change<R> change) {
        RecordBuilder<R> copy = RecordBuilder.copyOf(record);
        change.values.forEach(copy::with);
        return copy.build();
    }

    /** Makes the change only if the field has the value; null expects that it has none. */
    public Change<R> when(Field<R> field, @Nullable Object value) {
        return whenColumn(field.name(), field.requireAssignable(value));
    }

    /** Makes the change only if a column that records do not have has the value. */
    public Change<R> whenColumn(String name, @Nullable Object value) {
        expected.put(name, value);
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
