/** MQTT connections to printers. */
@NullMarked
package farm.gantry.edge.mqtt;

import org.jspecify.annotations.NullMarked;
