/** The link to the API over HTTP or MQTT. */
@NullMarked
package farm.gantry.edge.link;

import org.jspecify.annotations.NullMarked;
