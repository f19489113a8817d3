/** Printers of Elegoo's MQTT generation: each is its own broker, and takes files over HTTP. */
@NullMarked
package farm.gantry.edge.provider.elegoo;

import org.jspecify.annotations.NullMarked;
