/** The audit log. */
@NullMarked
package farm.gantry.api.audit;

import org.jspecify.annotations.NullMarked;
