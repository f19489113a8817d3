/** Clocks: the API's time, and sleep of the machine. */
@NullMarked
package farm.gantry.edge.time;

import org.jspecify.annotations.NullMarked;
