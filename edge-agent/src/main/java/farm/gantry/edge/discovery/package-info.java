/** Finding printers that nobody has told the agent of. */
@NullMarked
package farm.gantry.edge.discovery;

import org.jspecify.annotations.NullMarked;
