/** Annotations of records and their components: what is set by the system, secret, computed or a reference. */
@NullMarked
package farm.gantry.annotation;

import org.jspecify.annotations.NullMarked;
