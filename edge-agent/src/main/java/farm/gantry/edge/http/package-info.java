/** HTTP as the agent speaks it with printers. */
@NullMarked
package farm.gantry.edge.http;

import org.jspecify.annotations.NullMarked;
