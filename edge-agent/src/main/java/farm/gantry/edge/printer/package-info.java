/** The loop of one printer, its tasks, its journal and the fleet of all printers. */
@NullMarked
package farm.gantry.edge.printer;

import org.jspecify.annotations.NullMarked;
