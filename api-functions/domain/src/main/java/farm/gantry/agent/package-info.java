/** The daemons that serve a farm's printers. */
@NullMarked
package farm.gantry.agent;

import org.jspecify.annotations.NullMarked;
