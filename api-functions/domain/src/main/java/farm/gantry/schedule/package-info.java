/** Which waiting job goes to which free printer, and who may start: decided without looking anywhere. */
@NullMarked
package farm.gantry.schedule;

import org.jspecify.annotations.NullMarked;
