/** Printers behind OctoPrint's REST interface. */
@NullMarked
package farm.gantry.edge.provider.sdcp;

import org.jspecify.annotations.NullMarked;
