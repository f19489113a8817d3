package farm.gantry;

import io.micronaut.core.annotation.Introspected;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A stored record. Its components are the columns of its table, the filters of its lists, its JSON and its schema;
 * {@code id, storeId, createdAt, updatedAt} come first.
 */
@Introspected
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Resource {
    String table();

    /** Permissions of which one is required to view the record, also where it is embedded in another. */
    Permission[] view();

    /** Permission to create, edit or delete the record, if it is a single one instead of those beside {@code view}. */
    Permission[] change() default {};

    /** Permission to read secrets in clear text; other callers only see that there is one. */
    Permission secrets() default Permission.PRINTER_CONFIG;

    /** Relations that are always embedded. */
    String[] embeds() default {};
}
