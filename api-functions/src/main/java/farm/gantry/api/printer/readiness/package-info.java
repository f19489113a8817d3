/** Beds, conditions and states of printers, and bed clearing. */
@NullMarked
package farm.gantry.api.printer.readiness;

import org.jspecify.annotations.NullMarked;
