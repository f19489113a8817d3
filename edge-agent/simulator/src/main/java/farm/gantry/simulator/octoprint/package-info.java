/** Simulates printers behind OctoPrint. */
@NullMarked
package farm.gantry.simulator.octoprint;

import org.jspecify.annotations.NullMarked;
