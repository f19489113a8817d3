package farm.gantry;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A record of which a body may hold no unknown field; {@code value} is the noun for one of its fields. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface KnownFieldsOnly {
    String value();
}
