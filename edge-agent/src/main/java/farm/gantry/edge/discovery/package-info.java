/** Discovery of printers on the network. */
@NullMarked
package farm.gantry.edge.discovery;

import org.jspecify.annotations.NullMarked;
