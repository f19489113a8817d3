/** The rules by which a job may be assigned to a printer, and their explanations. */
@NullMarked
package farm.gantry.schedule;

import org.jspecify.annotations.NullMarked;
