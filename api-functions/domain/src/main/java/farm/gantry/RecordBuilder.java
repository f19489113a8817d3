package farm.gantry;

import io.micronaut.core.beans.BeanIntrospection;
import io.micronaut.core.beans.BeanProperty;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Builds a record by its components: {@code with(PrintJob::attempt, 2)}. Unlike with Micronaut's builder, null clears a
 * component of a copy.
 */
public final class RecordBuilder<R> {
    private static final ClassValue<Shape<?>> SHAPES = new ClassValue<>() {
        @Override
        protected Shape<?> computeValue(Class<?> type) {
            return Shape.of(type);
        }
    };

    private final Shape<R> shape;
    private final @Nullable Object[] values;

    @SuppressWarnings("unchecked") // a type's shape is of that type
    private RecordBuilder(Class<R> type) {
        this.shape = (Shape<R>) SHAPES.get(type);
        this.values = new @Nullable Object[shape.components().size()];
    }

    /** The components of a record in their order, and the place of each by its name. */
    private record Shape<R>(
            BeanIntrospection<R> type, List<BeanProperty<R, Object>> components, Map<String, Integer> places) {

        static <R> Shape<R> of(Class<R> record) {
            BeanIntrospection<R> type = BeanIntrospection.getIntrospection(record);
            RecordComponent[] all = record.getRecordComponents();
            return new Shape<>(
                    type,
                    Arrays.stream(all)
                            .map(component -> type.getRequiredProperty(component.getName(), Object.class))
                            .toList(),
                    IntStream.range(0, all.length)
                            .boxed()
                            .collect(Collectors.toMap(place -> all[place].getName(), Function.identity())));
        }
    }

    /** Of a new record; a component that is not named is null. */
    public static <R extends Record> RecordBuilder<R> of(Class<R> type) {
        return new RecordBuilder<>(type);
    }

    /** Of a record that is like this one but for the components that are named. */
    @SuppressWarnings("unchecked") // a record's class is that of its type
    public static <R extends Record> RecordBuilder<R> copyOf(R record) {
        RecordBuilder<R> copy = new RecordBuilder<>((Class<R>) record.getClass());
        for (int i = 0; i < copy.values.length; i++) {
            copy.values[i] = copy.shape.components().get(i).get(record);
        }
        return copy;
    }

    public RecordBuilder<R> with(Field<R> component, @Nullable Object value) {
        return with(component.name(), component.requireAssignable(value));
    }

    /** Sets a component by its name, which the compiler does not check; use a {@link Field}. */
    public RecordBuilder<R> with(String name, @Nullable Object value) {
        Integer place = shape.places().get(name);
        if (place == null) {
            throw new IllegalArgumentException(
                    shape.type().getBeanType().getSimpleName() + " has no component " + name);
        }
        values[place] = value;
        return this;
    }

    /** The record; throws InstantiationException where null is not allowed. */
    public R build() {
        return shape.type().instantiate(true, values);
    }
}
