package farm.gantry.api;

import farm.gantry.Permission;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The permission a route of a resource asks of its caller: the one its record's {@code @Resource} names for the action. */
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface NeedsTo {
    Permission.Action value();
}
