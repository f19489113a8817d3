/** Elegoo printers over MQTT. */
@NullMarked
package farm.gantry.edge.provider.elegoo;

import org.jspecify.annotations.NullMarked;
