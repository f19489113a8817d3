/** Simulates Bambu Lab printers: MQTT, FTPS, camera and video. */
@NullMarked
package farm.gantry.simulator.bambu;

import org.jspecify.annotations.NullMarked;
