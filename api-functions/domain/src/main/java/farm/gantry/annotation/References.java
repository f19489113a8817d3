package farm.gantry.annotation;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a component that holds the id of another record of the store, which the tables declare as a foreign key. Lists embed that record
 * under the component's name without {@code Id}.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.FIELD, ElementType.PARAMETER, ElementType.METHOD})
public @interface References {
    /** The table of the referenced record. */
    String value();

    /** The name under which the referenced record is embedded, if it differs from the component's name without {@code Id}. */
    String as() default "";

    /** The name under which lists of the referenced record embed the referring records; empty if they do not. */
    String inverse() default "";

    /** The {@code type} that the referenced record must have; empty if any is allowed. */
    String type() default "";

    OnDelete onDelete() default OnDelete.RESTRICT;

    /** The action when the referenced record is deleted. */
    enum OnDelete {
        /** The deletion is rejected while a record refers to it. */
        RESTRICT,
        /** The reference becomes null. */
        SET_NULL,
        /** The referring record is deleted too. */
        CASCADE,
        /** The id stays as history, although its record no longer exists. */
        KEEP_ID
    }
}
