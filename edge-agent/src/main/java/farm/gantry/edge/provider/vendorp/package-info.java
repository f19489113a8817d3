/** Printers behind PrusaLink, of the firmware (Buddy) and of the Raspberry Pi. */
@NullMarked
package farm.gantry.edge.provider.vendorp;

import org.jspecify.annotations.NullMarked;
