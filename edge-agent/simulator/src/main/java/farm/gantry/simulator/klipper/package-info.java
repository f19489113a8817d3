/** Simulates Klipper printers behind Moonraker. */
@NullMarked
package farm.gantry.simulator.klipper;

import org.jspecify.annotations.NullMarked;
