/** Simulated printers of every provider, their network and faults. */
@NullMarked
package farm.gantry.simulator;

import org.jspecify.annotations.NullMarked;
