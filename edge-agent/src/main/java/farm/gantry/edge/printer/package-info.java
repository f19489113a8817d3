/** A printer and the job on it, whatever its make. */
@NullMarked
package farm.gantry.edge.printer;

import org.jspecify.annotations.NullMarked;
