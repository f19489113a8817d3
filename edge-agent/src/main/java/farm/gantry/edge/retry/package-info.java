/** How long to wait before the next try. */
@NullMarked
package farm.gantry.edge.retry;

import org.jspecify.annotations.NullMarked;
