/** Servers, discovery and fault injection that the simulators share. */
@NullMarked
package farm.gantry.simulator.network;

import org.jspecify.annotations.NullMarked;
