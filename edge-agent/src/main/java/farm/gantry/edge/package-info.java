/** The daemon beside the printers. */
@NullMarked
package farm.gantry.edge;

import org.jspecify.annotations.NullMarked;
