/** The temperatures of printers in the last 24 hours. */
@NullMarked
package farm.gantry.api.printer.temperature;

import org.jspecify.annotations.NullMarked;
