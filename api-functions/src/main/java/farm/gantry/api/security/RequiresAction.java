package farm.gantry.api.security;

import farm.gantry.Permission;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a route of a resource: the caller needs the permission that {@code @Resource} of the record names for this
 * action.
 */
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface RequiresAction {
    Permission.Action value();
}
