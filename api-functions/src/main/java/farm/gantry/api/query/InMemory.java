package farm.gantry.api.query;

import io.micronaut.core.annotation.Introspected;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A record that no table keeps, but that is listed, filtered and sorted like one: its list is made in memory. */
@Introspected
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface InMemory {
    /** The components its lists are sorted by unasked; the last one tells any two records apart. */
    String[] order();
}
