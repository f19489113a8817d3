/** The routes of printers. */
@NullMarked
package farm.gantry.api.printer;

import org.jspecify.annotations.NullMarked;
