/** Bambu Lab printers over LAN MQTT and FTPS. */
@NullMarked
package farm.gantry.edge.provider.bambu;

import org.jspecify.annotations.NullMarked;
