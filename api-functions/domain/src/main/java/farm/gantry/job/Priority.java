package farm.gantry.job;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Restricts a component to one of the two priorities of jobs. */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.FIELD, ElementType.PARAMETER, ElementType.METHOD})
public @interface Priority {
    int NORMAL = 100;

    /** The priority of jobs that are placed only if no job of normal priority can be. */
    int LOW = 1000;
}
