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

    @SuppressWarnings("unchecked") // the cache holds each class's own shape
    private RecordBuilder(Class<R> type) {
        this.shape = (Shape<R>) SHAPES.get(type);
        this.values = new @Nullable Object[shape.components().size()];
    }

    /** The components of a record in order, and the index of each by name. */
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

    /** Creates a builder of a new record. A component that is not set is null. */
    public static <R extends Record> RecordBuilder<R> of(Class<R> type) {
        return new RecordBuilder<>(type);
    }

    /** Creates a builder whose components are initially those of the record. */
    @SuppressWarnings("unchecked") // the class of a record of type R is Class<R>
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

    /** Returns the record. Throws InstantiationException if a component that must not be null was not set. */
    public R build() {
        return shape.type().instantiate(true, values);
    }
}
