package farm.gantry;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A component with the id of another record of the store. Lists embed that record under the component's name without
 * {@code Id}; the tables have matching foreign keys.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.FIELD, ElementType.PARAMETER, ElementType.METHOD})
public @interface References {
    /** The other record's table. */
    String value();

    /** Name under which the other record is embedded, if not derived from the component. */
    String as() default "";

    /** Name under which lists of the other record embed the referring records; empty for none. */
    String inverse() default "";

    /** Required {@code type} of the other record; empty for any. */
    String type() default "";

    Deletion onDelete() default Deletion.REFUSED;

    /** The effect of deleting the other record. */
    enum Deletion {
        /** It cannot be deleted while this one refers to it. */
        REFUSED,
        /** The reference is set to null. */
        CLEARS,
        /** This record is deleted too. */
        CASCADES,
        /** The id is kept as history, without a record. */
        FORGOTTEN
    }
}
