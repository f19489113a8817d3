/** Klipper printers through Moonraker. */
@NullMarked
package farm.gantry.edge.provider.klipper;

import org.jspecify.annotations.NullMarked;
