/** Simulates Elegoo printers that speak MQTT. */
@NullMarked
package farm.gantry.simulator.elegoo;

import org.jspecify.annotations.NullMarked;
