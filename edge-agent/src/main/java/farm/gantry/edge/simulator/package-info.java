/** Printers that are not there, speaking the protocols of those that are. */
@NullMarked
package farm.gantry.edge.simulator;

import org.jspecify.annotations.NullMarked;
