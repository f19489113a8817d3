/** Trust on first use of printers' certificates. */
@NullMarked
package farm.gantry.edge.trust;

import org.jspecify.annotations.NullMarked;
