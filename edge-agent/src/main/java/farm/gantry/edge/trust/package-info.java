/** Whether it is the printer that answers. */
@NullMarked
package farm.gantry.edge.trust;

import org.jspecify.annotations.NullMarked;
