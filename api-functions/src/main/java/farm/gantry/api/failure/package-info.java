/** Failure reports and holds of parts. */
@NullMarked
package farm.gantry.api.failure;

import org.jspecify.annotations.NullMarked;
