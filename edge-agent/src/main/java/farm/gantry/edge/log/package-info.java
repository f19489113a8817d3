/** Log files and their rotation. */
@NullMarked
package farm.gantry.edge.log;

import org.jspecify.annotations.NullMarked;
