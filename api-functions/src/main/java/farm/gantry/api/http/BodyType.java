package farm.gantry.api.http;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares the type of a body that a route receives as a JSON tree; by default the record that the route returns. For a
 * resource record it means the body of its creation, or in a PATCH any of its fields. {@code with} declares further
 * members.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface BodyType {
    Class<?> value() default Void.class;

    Class<?> with() default Void.class;
}
