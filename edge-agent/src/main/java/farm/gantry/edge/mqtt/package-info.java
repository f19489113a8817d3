/** MQTT as the agent speaks it with printers, which are their own brokers. */
@NullMarked
package farm.gantry.edge.mqtt;

import org.jspecify.annotations.NullMarked;
