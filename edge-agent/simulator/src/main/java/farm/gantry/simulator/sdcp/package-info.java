/** Simulates Elegoo printers that speak SDCP 3. */
@NullMarked
package farm.gantry.simulator.sdcp;

import org.jspecify.annotations.NullMarked;
