/** Reads camera images from printers. */
@NullMarked
package farm.gantry.edge.camera;

import org.jspecify.annotations.NullMarked;
