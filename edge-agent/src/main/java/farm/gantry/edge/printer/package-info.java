/** One printer's loop, the state machine of its job, and its commands. */
@NullMarked
package farm.gantry.edge.printer;

import org.jspecify.annotations.NullMarked;
