/** Printers as devices of Home Assistant, over MQTT. */
@NullMarked
package farm.gantry.api.homeassistant;

import org.jspecify.annotations.NullMarked;
