/** Print hosts: what slicers send their files to, in the protocols of OctoPrint, PrusaLink and Moonraker. */
@NullMarked
package farm.gantry.api.printhost;

import org.jspecify.annotations.NullMarked;
