/** The agent's command line. */
@NullMarked
package farm.gantry.edge;

import org.jspecify.annotations.NullMarked;
