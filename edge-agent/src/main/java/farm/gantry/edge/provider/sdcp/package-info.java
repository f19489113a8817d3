/** Elegoo printers over SDCP 3. */
@NullMarked
package farm.gantry.edge.provider.sdcp;

import org.jspecify.annotations.NullMarked;
