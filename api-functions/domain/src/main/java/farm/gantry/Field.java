package farm.gantry;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** A component of a record as a method reference, such as {@code Printer::isOnline}, whose name the compiler checks. */
@FunctionalInterface
public interface Field<R> extends Serializable {
    @Nullable
    Object get(R record);

    /** Returns the name of the component, which is also that of its column. */
    default String name() {
        return RecordField.of(this).name();
    }

    /** Returns the value; throws IllegalArgumentException if the component cannot hold it. */
    default @Nullable Object requireAssignable(@Nullable Object value) {
        return RecordField.of(this).requireAssignable(value);
    }
}
