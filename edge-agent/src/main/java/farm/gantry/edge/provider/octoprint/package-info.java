/** Printers behind OctoPrint. */
@NullMarked
package farm.gantry.edge.provider.octoprint;

import org.jspecify.annotations.NullMarked;
