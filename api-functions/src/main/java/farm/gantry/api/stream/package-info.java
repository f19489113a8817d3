/** The event stream and MQTT events. */
@NullMarked
package farm.gantry.api.stream;

import org.jspecify.annotations.NullMarked;
