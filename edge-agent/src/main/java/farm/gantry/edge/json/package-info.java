/** JSON as the agent reads and writes it. */
@NullMarked
package farm.gantry.edge.json;

import org.jspecify.annotations.NullMarked;
