package farm.gantry.annotation;

import farm.gantry.Permission;
import io.micronaut.core.annotation.Introspected;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a record that is stored in a table. Its components define the table's columns, the filters of lists, the JSON and its schema. They
 * begin with {@code id, storeId, createdAt, updatedAt}.
 */
@Introspected
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Resource {
    String table();

    /** The permissions of which a caller needs one to view the record, on its own or embedded in another. */
    Permission[] view();

    /** The one permission to create, edit and delete the record; by default, there are three, of the same family as {@code view}. */
    Permission[] change() default {};

    /** The permission to read secrets in clear text. Other callers only see whether a secret is set. */
    Permission secrets() default Permission.PRINTER_CONFIG;

    /** The relations that responses always embed. */
    String[] embeds() default {};
}
