/** Starts simulated printers from the command line. */
@NullMarked
package farm.gantry.simulator;

import org.jspecify.annotations.NullMarked;
