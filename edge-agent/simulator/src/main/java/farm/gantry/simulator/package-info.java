/** Printers that are not there, speaking the protocols of those that are. */
@NullMarked
package farm.gantry.simulator;

import org.jspecify.annotations.NullMarked;
