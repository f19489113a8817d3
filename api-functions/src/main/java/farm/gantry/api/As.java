package farm.gantry.api;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What a body taken as a JSON tree must read as; without a value, the record that the route answers. A resource record
 * means the body that makes one, or in a PATCH any of its fields; {@code with} says what such a body may hold beside them.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface As {
    Class<?> value() default Void.class;

    Class<?> with() default Void.class;
}
