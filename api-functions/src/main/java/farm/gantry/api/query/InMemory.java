package farm.gantry.api.query;

import io.micronaut.core.annotation.Introspected;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks a record without a table, whose list is built in memory and filtered and sorted there like a table's. */
@Introspected
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface InMemory {
    /** The default sort order of its lists; the last component is unique. */
    String[] order();
}
