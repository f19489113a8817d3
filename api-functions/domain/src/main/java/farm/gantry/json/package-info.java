/** JSON as the agent reads and writes it. */
@NullMarked
package farm.gantry.json;

import org.jspecify.annotations.NullMarked;
