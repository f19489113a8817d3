package farm.gantry;

import io.micronaut.core.annotation.Introspected;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A record kept by a store. Its components are the table's columns, the filters of its lists, its JSON and its schema;
 * {@code id, storeId, createdAt, updatedAt} come first.
 */
@Introspected
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Resource {
    String table();

    /** What a key needs to see it, also where it is embedded in another: one of these. */
    Permission[] view();

    /** What a key needs to create, edit or delete it, where that is one permission and not those beside {@code view}. */
    Permission[] change() default {};

    /** What a key needs to read back in clear what is sealed in it; others are shown that there is something. */
    Permission secrets() default Permission.PRINTER_CONFIG;

    /** The relations that are embedded without being asked for. */
    String[] embeds() default {};
}
