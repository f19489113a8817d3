/** Printers that are their own MQTT broker and FTPS server, in a LAN. */
@NullMarked
package farm.gantry.edge.provider.vendora;

import org.jspecify.annotations.NullMarked;
