/** Prusa printers with PrusaLink. */
@NullMarked
package farm.gantry.edge.provider.prusalink;

import org.jspecify.annotations.NullMarked;
