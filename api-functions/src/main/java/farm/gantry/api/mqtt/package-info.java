/** Connections to an MQTT broker. */
@NullMarked
package farm.gantry.api.mqtt;

import org.jspecify.annotations.NullMarked;
