package farm.gantry.api.http;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The type that a body taken as a JSON tree is read as; by default the record that the route returns. A resource record
 * means its create body, or in a PATCH any of its fields; {@code with} declares further members of such a body.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface BodyType {
    Class<?> value() default Void.class;

    Class<?> with() default Void.class;
}
