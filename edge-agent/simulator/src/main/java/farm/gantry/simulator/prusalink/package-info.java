/** Simulates Prusa printers with PrusaLink. */
@NullMarked
package farm.gantry.simulator.prusalink;

import org.jspecify.annotations.NullMarked;
