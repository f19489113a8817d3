package farm.gantry;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A component that holds the id of another record of the store. Lists embed that record under the component's name
 * without {@code Id}, and foreign keys of the same meaning stand in the tables.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.FIELD, ElementType.PARAMETER, ElementType.METHOD})
public @interface References {
    /** The other record's table. */
    String value();

    /** Under which name the other is embedded, where that is not the component's own. */
    String as() default "";

    /** Under which name lists of the other embed the records that refer to it; none when empty. */
    String inverse() default "";

    /** The {@code type} that the other must be of, where it has one and that matters. */
    String type() default "";

    Deletion onDelete() default Deletion.REFUSED;

    /** What the deletion of the other does here. */
    enum Deletion {
        /** It cannot be deleted while this one refers to it. */
        REFUSED,
        /** The reference becomes null. */
        CLEARS,
        /** This one is deleted too. */
        CASCADES,
        /** The id stays, as history, and names nothing. */
        FORGOTTEN
    }
}
