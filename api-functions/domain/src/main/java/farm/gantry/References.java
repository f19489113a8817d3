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

    OnDelete onDelete() default OnDelete.RESTRICT;

    /** The effect of deleting the other record. */
    enum OnDelete {
        /** It cannot be deleted while this one refers to it. */
        RESTRICT,
        /** The reference is set to null. */
        SET_NULL,
        /** This record is deleted too. */
        CASCADE,
        /** The id is kept as history, without a record. */
        KEEP_ID
    }
}
