package farm.gantry;

import io.micronaut.core.beans.BeanIntrospection;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes a record by the names of its components. Unlike Micronaut's builder it refuses a name that the record has not, and
 * null clears a component of a copy.
 */
public final class RecordBuilder<R> {
    /** The components of each record, in their order. */
    private static final ClassValue<List<String>> NAMES = new ClassValue<>() {
        @Override
        protected List<String> computeValue(Class<?> type) {
            return Arrays.stream(type.getRecordComponents())
                    .map(RecordComponent::getName)
                    .toList();
        }
    };

    private final BeanIntrospection<R> shape;
    private final List<String> names;
    private final @Nullable Object[] values;

    private RecordBuilder(Class<R> type) {
        this.shape = BeanIntrospection.getIntrospection(type);
        this.names = NAMES.get(type);
        this.values = new @Nullable Object[names.size()];
    }

    /** Of a new record; a component that is not named is null. */
    public static <R extends Record> RecordBuilder<R> of(Class<R> type) {
        return new RecordBuilder<>(type);
    }

    /** Of a record that is like this one but for the components that are named. */
    @SuppressWarnings("unchecked") // a record's class is that of its type
    public static <R extends Record> RecordBuilder<R> copyOf(R record) {
        RecordBuilder<R> copy = new RecordBuilder<>((Class<R>) record.getClass());
        for (String name : copy.names) {
            copy.with(name, copy.shape.getRequiredProperty(name, Object.class).get(record));
        }
        return copy;
    }

    public RecordBuilder<R> with(String name, @Nullable Object value) {
        int component = names.indexOf(name);
        if (component < 0) {
            throw new IllegalArgumentException(shape.getBeanType().getSimpleName() + " has no component " + name);
        }
        values[component] = value;
        return this;
    }

    /** The record; throws InstantiationException where null is not allowed. */
    public R build() {
        return shape.instantiate(true, values);
    }
}
